import type { Labels } from '../../api/meta.ts';
import { CodedError } from '../../lib/errors.ts';
import type { NamedObject } from '../workload/submitted-object.ts';
import type { PlannedFault } from './fault-file.ts';
import { hasLabels } from './fault-kinds.ts';

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

/**
 * Checks that the nodes that faults name are in the input, or may come later.
 *
 * @throws CodedError `UnknownNode`
 */
export function checkFaultTargets(
  faults: readonly PlannedFault[],
  objects: readonly NamedObject[],
  templates: readonly NamedObject[],
  place: (index: number) => string,
): void {
  // The names of nodes that arrive later are not known yet.
  if (templates.some(({ submitted }) => submitted.resource === 'nodes')) return;
  const nodes = objects.filter(({ submitted }) => submitted.resource === 'nodes').map((each) => each.submitted.object);
  const names = new Set(nodes.map(({ metadata }) => metadata?.name));
  for (const [i, { settings }] of faults.entries()) {
    const { node, nodes: labels } = settings;
    if (node !== undefined && !names.has(node)) {
      throw new CodedError('UnknownNode', `${place(i)}: there is no node "${node}" in the input`);
    }
    if (labels !== undefined && !nodes.some(({ metadata }) => hasLabels(metadata?.labels, labels))) {
      const text = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
      throw new CodedError('UnknownNode', `${place(i)}: no node in the input has the label ${text.join(',')}`);
    }
  }
}
