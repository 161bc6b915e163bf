import type { Fact } from '../../report/sections.ts';
import type { Provenance } from '../terminal/provenance.ts';

/** Where a page comes from. The same command on the same files gives the same page, so there is no time of day. */
export function originFacts({ command, berth, commit }: Omit<Provenance, 'time'>): readonly Fact[] {
  return [
    ['Command', command],
    ['Berth', commit === null ? berth : `${berth}, commit ${commit.slice(0, 12)}`],
  ];
}

/** Flags whose values are what a command reads. */
const INPUT_FLAGS = [
  ...['filename', 'kustomize', 'workload', 'openb', 'alibaba', 'trace', 'replay', 'fit'],
  ...['faults', 'compareFaults', 'config', 'fromConfig', 'compare'],
];

/** The files that a command has read, as its flags name them. */
export function inputFacts(flags: object): readonly Fact[] {
  const given = new Map<string, unknown>(Object.entries(flags));
  const names = INPUT_FLAGS.flatMap((flag) => given.get(flag) ?? []);
  return names.length === 0 ? [] : [['Inputs', names.join(', ')]];
}
