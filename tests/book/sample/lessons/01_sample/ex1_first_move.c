/* Exercise 1: move a tensor. */
