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
