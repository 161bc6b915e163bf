import type { ExtenderCalls, ExtenderRequest, ExtenderResponse, ExtenderRole } from '../../framework/extender-calls.ts';
import type { Read } from './answers.ts';
import type { Extender } from './extender.ts';

const OK = 200;

export function requestTo(extender: Extender, role: ExtenderRole, body: string): ExtenderRequest {
  const { index, timeoutMillis, tls } = extender;
  return { extender: index, role, url: extender.url(role), body, timeoutMillis, tls };
}

/** The answer in the response, or why there is none (upstream's HTTPExtender.send). */
export function answerOf<T>(
  extender: Extender,
  role: ExtenderRole,
  response: ExtenderResponse | undefined,
  read: (body: string) => Read<T>,
): Read<T> {
  if (response === undefined) return { error: 'no response' };
  if ('error' in response) return response;
  if (response.status !== OK) {
    const where = `extender at URL ${extender.url(role)}, code ${response.status}`;
    return { error: `failed ${extender.verb(role)} with ${where}` };
  }
  return read(response.body);
}

/** Sends one request to the extender and reads the answer; an error is logged. */
export function* callExtender<T>(
  extender: Extender,
  role: ExtenderRole,
  body: string,
  read: (body: string) => Read<T>,
): ExtenderCalls<Read<T>> {
  const [response] = yield [requestTo(extender, role, body)];
  const answer = answerOf(extender, role, response, read);
  if ('error' in answer) extender.failed(role, answer.error);
  return answer;
}
