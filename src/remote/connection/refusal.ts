import { ApiError, type ApiReason, STATUS_CODES, type StatusCause } from '../../store/objects/api-error.ts';

/** A metav1.Status, as far as it is read. */
interface Status {
  readonly kind?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly code?: number;
  readonly details?: {
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
    readonly retryAfterSeconds?: number;
  };
}

/** The error of an answer that is no success: its Status, or what its HTTP status stands for. */
export function refusalOf(httpStatus: number, body: string): ApiError {
  return errorOfStatus(statusIn(body), httpStatus, body);
}

/** The error that a Status reports, such as that of a watch's last event. */
export function errorOfStatus(status: unknown, httpStatus?: number, body = ''): ApiError {
  const { reason, message, code, details } = (status ?? {}) as Status;
  const statusCode = code ?? httpStatus ?? STATUS_CODES.InternalError;
  const known = reason !== undefined && reason in STATUS_CODES ? (reason as ApiReason) : reasonOf(statusCode);
  const causes = (details?.causes ?? []).map(
    (cause): StatusCause => ({ reason: cause.reason ?? '', message: cause.message ?? '', field: cause.field ?? '' }),
  );
  return new ApiError(known, message || `the server answered with status ${statusCode}${excerpt(body)}`, causes);
}

/** The most characters of an answer of another program, such as a proxy, that a message quotes. */
const EXCERPT_MAX = 100;

function excerpt(body: string): string {
  const [line = ''] = body.trim().split('\n');
  return line === '' ? '' : `: ${line.slice(0, EXCERPT_MAX)}`;
}

function statusIn(body: string): unknown {
  try {
    const value = JSON.parse(body) as Status | null;
    return value?.kind === 'Status' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The last reason that has the HTTP status, or the one of its hundred. */
function reasonOf(code: number): ApiReason {
  const reasons = Object.entries(STATUS_CODES) as [ApiReason, number][];
  const found = reasons.findLast(([, known]) => known === code);
  if (found !== undefined) return found[0];
  return code >= 400 && code < 500 ? 'BadRequest' : 'InternalError';
}
