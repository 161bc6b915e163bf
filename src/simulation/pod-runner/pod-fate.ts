import type { Pod } from '../../api/pod.ts';

/** What happens to a pod's containers, which all behave alike. */
export interface PodFate {
  /** How long the containers run; Infinity: until they are stopped. */
  readonly runMillis: number;
  /** The exit code; absent: 0. */
  readonly exitCode?: number;
  /** How long the containers take to end when they are stopped; absent: they end at once. */
  readonly stopMillis?: number;
}

/** `restarts`: how often the pod's containers have ended before. */
export type FateOf = (pod: Pod, restarts: number) => PodFate;

/** Annotations by which a pod, or its template, sets its fate. */
const RUN_SECONDS = 'pod-runner.berth/run-seconds';
const EXIT_CODE = 'pod-runner.berth/exit-code';
const STOP_SECONDS = 'pod-runner.berth/stop-seconds';

/**
 * The fate that the pod's annotations set. Without any, the pod runs until it is stopped, and stops at once.
 *
 * @throws FateError
 */
export function annotatedFate(pod: Pod): PodFate {
  return {
    runMillis: 1000 * numberIn(pod, RUN_SECONDS, Number.POSITIVE_INFINITY, SECONDS, 'seconds, such as 1.5'),
    exitCode: numberIn(pod, EXIT_CODE, 0, CODE, 'an exit code from 0 to 255'),
    stopMillis: 1000 * numberIn(pod, STOP_SECONDS, 0, SECONDS, 'seconds, such as 1.5'),
  };
}

/** The annotations are malformed: the pod fails without ever running. */
export class FateError extends Error {}

const SECONDS = /^\d{1,9}(?:\.\d{1,3})?$/;
const CODE = /^(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/;

function numberIn({ metadata }: Pod, key: string, absent: number, form: RegExp, expected: string): number {
  const text = metadata?.annotations?.[key];
  if (text === undefined) return absent;
  if (!form.test(text)) throw new FateError(`metadata.annotations[${key}]: ${JSON.stringify(text)} is not ${expected}`);
  return Number(text);
}
