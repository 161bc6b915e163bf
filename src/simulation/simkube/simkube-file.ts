import { isObject, problemsOf, type UnknownObject } from '../../api/validation/check.ts';
import { arrayOf, integer, nonEmpty, object, required, string } from '../../api/validation/shapes.ts';
import { notARecording } from '../../recording/read-lines.ts';
import { PodDurations } from './pod-durations.ts';

/** What users of a recorded cluster did within one second. */
export interface SimkubeEvent {
  /** The time in seconds since the Unix epoch. */
  readonly ts: number;
  readonly applied_objs: readonly UnknownObject[];
  readonly deleted_objs: readonly UnknownObject[];
}

/** A trace that SimKube has exported, as far as it is read. */
export interface SimkubeFile {
  readonly events: readonly SimkubeEvent[];
  readonly durations: PodDurations;
}

const VERSIONS: readonly unknown[] = [2, 3];
/** The last second of the year 9999. */
const TS_MAX = 253_402_300_799;

const objects = required(
  arrayOf(
    object({
      apiVersion: required(string),
      kind: required(string),
      metadata: required(object({ name: required(string), namespace: string })),
    }),
  ),
);

const trace = object({
  events: nonEmpty(arrayOf(object({ ts: required(integer(0, TS_MAX)), applied_objs: objects, deleted_objs: objects }))),
});

/**
 * Checks the decoded contents of a trace, in version 2 or 3.
 *
 * @throws CodedError `NotARecording` with file, field and reason
 */
export function readSimkubeFile(decoded: unknown, file: string): SimkubeFile {
  // Version 1 is a list without a version.
  const version = isObject(decoded) ? decoded['version'] : 1;
  if (!isObject(decoded) || !VERSIONS.includes(version)) {
    const found = version === undefined ? 'has no version' : `has version ${JSON.stringify(version)?.slice(0, 20)}`;
    throw notARecording(file, `${found}: of the traces of SimKube, versions 2 and 3 are read`);
  }
  const [problem] = problemsOf(trace, decoded);
  if (problem !== undefined) throw notARecording(file, `${problem.field}: ${problem.reason}`);
  const events = decoded['events'] as readonly SimkubeEvent[];
  const early = events.findIndex(({ ts }, i) => ts < (events[i - 1]?.ts ?? 0));
  if (early >= 0) throw notARecording(file, `events[${early}].ts: is before that of events[${early - 1}]`);
  return {
    events,
    durations: version === 2 ? PodDurations.ofVersion2(decoded, file) : PodDurations.ofVersion3(decoded, file),
  };
}
