import { timeAtMillis } from '../../api/time.ts';
import { isJsonObject, type JsonValue } from '../../kinds/object/json.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Answer, ApiRequest } from '../context/context.ts';
import { parsePath, type RequestPath } from '../routing/request-path.ts';

/** Receives one line, a JSON text, for each request that was answered. */
export type AuditSink = (line: string) => void;

const WRITES: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/**
 * Notes every request as an Event of audit.k8s.io/v1, which is how kube-apiserver logs them: writes with what was sent
 * and answered, reads without.
 */
export class AuditLog {
  readonly #sink: AuditSink;
  readonly #clock: Clock;
  readonly #user: JsonValue;
  #count = 0;

  /** `clock`: the time of the cluster. */
  constructor(sink: AuditSink, clock: Clock, user: JsonValue) {
    this.#sink = sink;
    this.#clock = clock;
    this.#user = user;
  }

  answered(
    request: ApiRequest,
    answer: Pick<Answer, 'type'> & { readonly status?: number; readonly object?: JsonValue },
  ) {
    const { method, query, userAgent } = request;
    const path = parsePath(request.path);
    const isWrite = Object.hasOwn(WRITES, method);
    const time = `${timeAtMillis(this.#clock.nowMillis()).slice(0, -1)}.000000Z`;
    const text = query.toString();
    this.#count++;
    this.#sink(
      JSON.stringify({
        kind: 'Event',
        apiVersion: 'audit.k8s.io/v1',
        level: isWrite ? 'RequestResponse' : 'Metadata',
        auditID: `00000000-0000-4000-8000-${this.#count.toString(16).padStart(12, '0')}`,
        stage: answer.type === 'watch' ? 'ResponseStarted' : 'ResponseComplete',
        requestURI: text === '' ? request.path : `${request.path}?${text}`,
        verb: verbOf(method, path, answer.type === 'watch'),
        user: this.#user,
        ...(userAgent !== undefined && { userAgent }),
        ...objectRefOf(path),
        responseStatus: { metadata: {}, code: answer.status ?? 200 },
        ...(isWrite && { requestObject: shownBody(request.body), responseObject: answer.object ?? null }),
        requestReceivedTimestamp: time,
        stageTimestamp: time,
      }),
    );
  }
}

function verbOf(method: string, path: RequestPath | undefined, isWatch: boolean): string {
  if (path?.to !== 'resource') return method.toLowerCase();
  if (isWatch) return 'watch';
  if (method === 'GET' || method === 'HEAD') return path.name === '' ? 'list' : 'get';
  if (method === 'DELETE' && path.name === '') return 'deletecollection';
  return WRITES[method] ?? method.toLowerCase();
}

function objectRefOf(path: RequestPath | undefined): object {
  if (path?.to !== 'resource') return {};
  const { resource, namespace, name, group, version, subresource } = path;
  const members = { resource, namespace, name, apiGroup: group, apiVersion: version, subresource };
  return { objectRef: Object.fromEntries(Object.entries(members).filter(([, value]) => value !== '')) };
}

/** The object that was sent; YAML, patches that are lists, and what is no JSON as they are. */
function shownBody(text: string): JsonValue {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) || Array.isArray(value) ? value : text;
  } catch {
    return text === '' ? null : text;
  }
}
