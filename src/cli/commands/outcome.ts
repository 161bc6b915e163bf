/** The exit code, by which a command reports its outcome to the program. */
export interface Outcome {
  exitCode: number;
}

/**
 * The exit code that shells report for a process that Ctrl-C has ended: 128 and the number of SIGINT. After SIGTERM the
 * program ends with `EXIT_TERMINATED` instead.
 */
export const EXIT_INTERRUPTED = 130;
export const EXIT_TERMINATED = 143;
