/* Where a program was when a signal ended it, for the judge to say.
 *
 * A probe's program calls this; a lesson's programs do not, and die as they
 * would anywhere. Nothing is printed, and the signal ends the program as it
 * would have: only lines on a descriptor are added, which name no file and no
 * function. Whoever reads them has the program, and resolves its addresses.
 * They are one program's word about itself, good for a hint and no more.
 */
#ifndef LESSON_CRASH_H
#define LESSON_CRASH_H

/* Report signals on `fd` from here on.
 *
 * The lines, numbers in hexadecimal but for the signal's:
 *   signal 11 code 1 address 0 home - write 1 stack 0
 *   failure RuntimeError: ...        a failure that nobody has read
 *   frame . 1a2b                     innermost first: module and offset; `.`
 *   frame libworkbook.so 7c30        is the program, `-` no module at all
 * code     siginfo's si_code
 * home     the module that the address lies in
 * write    the access was a write, where the processor tells
 * stack    the stack is full
 * The first frame is where it stopped; the others are return addresses. A
 * program that runs on reports once more (SIGALRM) look_ms after this call,
 * and goes on; 0: it does not.
 * Linux with glibc; elsewhere nothing happens. The main thread's.
 */
void probe__report_signals(int fd, long look_ms);

#endif
