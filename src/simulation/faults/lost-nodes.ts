import type { Labels } from '../../api/meta.ts';
import { CodedError } from '../../lib/errors.ts';
import type { PlannedFault } from './fault-file.ts';

/** When nodes of `--lose` crash: late enough that everything that the input has is running. */
const LOSS_MILLIS = 10 * 60_000;

/** Labels that have a short name on the command line. */
const SHORT_KEYS: Readonly<Record<string, string>> = {
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  host: 'kubernetes.io/hostname',
};

/** The label that a text such as `zone=b` stands for. @throws CodedError `Usage` */
function labelOf(text: string): Labels {
  const at = text.indexOf('=');
  const key = text.slice(0, at);
  if (at <= 0) throw new CodedError('Usage', `--lose ${text}: expected LABEL=VALUE, such as zone=b`);
  return { [SHORT_KEYS[key] ?? key]: text.slice(at + 1) };
}

/** The faults by which all nodes with these labels crash for good. @throws CodedError `Usage` */
export function lossesOf(texts: readonly string[]): readonly PlannedFault[] {
  return texts.map((text) => ({
    kind: 'nodeCrash',
    settings: { nodes: labelOf(text) },
    times: { atMillis: [LOSS_MILLIS] },
    length: undefined,
  }));
}
