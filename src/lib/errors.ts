/**
 * Errors that a caller can react to carry a stable code. An outcome that is expected (a pod that does not fit) is not
 * an error but a value; a mistake of our own is an `assert`.
 */
export class CodedError<Code extends string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.name = 'BerthError';
    this.code = code;
  }
}

const LONGEST_REASON = 200;

/** The message of anything that was thrown, on one line. */
export function firstLineOf(error: unknown): string {
  try {
    const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return line.slice(0, LONGEST_REASON);
  } catch {
    return 'an error that has no text';
  }
}
