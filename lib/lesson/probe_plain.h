/* A probe: the program around a student's function. Seeded inputs go in,
 * facts come out; another process compares them with the reference's.
 *
 * This half needs nothing but libc; lesson/probe.h adds devices, tensors and
 * the ledger. Facts are lines of JSON on a descriptor that the judge names;
 * run by hand, a probe prints them to stdout. A probe that cannot be set up
 * says so on stderr and stops with exit code 70: these functions never return
 * failures. One thread.
 */
#ifndef LESSON_PROBE_PLAIN_H
#define LESSON_PROBE_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

/* Read --seed N (default 1), --facts-fd N, --nonce WORD, and --crash-fd N with
 * --look-ms N (lesson/crash.h).
 *
 * Call it first; argv's words are overwritten, so that the function under
 * test does not find them there.
 */
void probe_begin(int argc, char **argv);

/* State that the probe came to its end; returns main's 0. Where the probe is
 * about tensors, how many scopes are open is a fact before that.
 */
int probe_end(void);

/* Stop with exit code 77 and a sentence on stdout: this machine will not do. */
_Noreturn void probe_skip(const char *why);

/* Inputs that follow from the seed alone, the same on every machine.
 *
 * probe_int     lo … hi, both included
 * probe_real    from lo up to, not including, hi
 * probe_choice  0 … n-1
 */
uint64_t probe_seed(void);
int64_t probe_int(int64_t lo, int64_t hi);
double probe_real(double lo, double hi);
int probe_choice(int n);

/* State one value under a name that the student can read. The order of facts
 * and their number must not depend on what the student returned.
 *
 * fact_text  NULL is a fact too
 */
void fact_int(const char *name, int64_t value);
void fact_real(const char *name, double value);
void fact_text(const char *name, const char *value);
void fact_bool(const char *name, bool value);

/* For lesson/probe.c: a fact of any kind, from its parts in JSON, such as
 * `"v": [1, 2]`; and a text or a number as JSON. */
void probe__state(const char *name, const char *kind, const char *parts);
char *probe__json_text(const char *text); // the caller frees it
void probe__json_real(char *out, int size, double value);
_Noreturn void probe__broken(const char *why);
void probe__tensors_end(void); // what probe.c has to say at the end

#endif
