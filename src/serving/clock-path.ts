import { timeAtMillis } from '../api/time.ts';
import type { Answer, ApiRequest } from '../apiserver/context/context.ts';
import { isJsonObject, type JsonValue } from '../kinds/object/json.ts';
import { badRequest, methodNotAllowed } from '../kinds/object/refusals.ts';
import { parseDuration } from '../lib/go-duration.ts';
import type { PacedEventLoop } from '../lib/paced-event-loop.ts';
import { isPace, SPEED_MAX } from './serve-options.ts';

export const CLOCK_PATH = '/berth/clock';

const NANOS_PER_MILLI = 1e6;

/**
 * The clock of the cluster: GET shows it, POST of `{"speed": 10}` sets its pace, and POST of `{"step": "1h"}` moves it
 * on and answers when all that is due until then has been done.
 *
 * @throws StatusError BadRequest, MethodNotAllowed
 */
export async function clockAnswer(loop: PacedEventLoop, { method, body }: ApiRequest): Promise<Answer> {
  if (method !== 'GET' && method !== 'POST') throw methodNotAllowed();
  if (method === 'POST') await changeClock(loop, parsed(body));
  return { type: 'object', status: 200, object: { time: timeAtMillis(loop.nowMillis()), speed: loop.pace } };
}

async function changeClock(loop: PacedEventLoop, change: JsonValue): Promise<void> {
  if (!isJsonObject(change)) throw badRequest('a change of the clock is an object with speed or step');
  for (const name of Object.keys(change)) {
    if (name !== 'speed' && name !== 'step') throw badRequest(`${name}: a clock has speed and step`);
  }
  const { speed, step } = change;
  if (speed !== undefined && !isPace(speed)) {
    throw badRequest(`speed: Invalid value: ${JSON.stringify(speed)}: a number up to ${SPEED_MAX}, max or paused`);
  }
  const millis = step === undefined ? undefined : stepMillis(step);
  if (speed !== undefined) loop.pace = speed;
  if (millis !== undefined) await loop.step(millis);
}

/** @throws StatusError BadRequest */
function stepMillis(step: JsonValue): number {
  const nanos = typeof step === 'string' ? parseDuration(step) : { error: 'a duration such as 1h30m' };
  if (typeof nanos === 'bigint' && nanos >= 0n) return Number(nanos) / NANOS_PER_MILLI;
  const why = typeof nanos === 'bigint' ? 'time does not go back' : nanos.error;
  throw badRequest(`step: Invalid value: ${JSON.stringify(step)}: ${why}`);
}

/** @throws StatusError BadRequest */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw badRequest(`the body is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}
