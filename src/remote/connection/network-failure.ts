import { failureText } from '../../lib/http-failure.ts';
import { ApiError } from '../../store/objects/api-error.ts';

/** The failures of kept-alive connections that a server has closed. */
const BROKEN = new Set(['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE']);

/** A request that got no answer, or only a part of one. */
export class NetworkFailure extends ApiError {
  /** Whether the connection broke, so that a read may be repeated. */
  readonly isBroken: boolean;

  constructor(error: unknown) {
    super('ServiceUnavailable', textOf(error));
    this.isBroken = BROKEN.has(codeOf(error));
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

function textOf(error: unknown): string {
  if (codeOf(error) !== '') return failureText(error as NodeJS.ErrnoException);
  return error instanceof Error ? error.message : String(error);
}
