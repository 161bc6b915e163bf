import type { Fact } from '../../report/sections.ts';
import type { Provenance } from '../terminal/provenance.ts';

/** Where a page comes from. The same command on the same files gives the same page, so there is no time of day. */
export function originFacts({ command, berth, commit }: Omit<Provenance, 'time'>): readonly Fact[] {
  return [
    ['Command', command],
    ['Berth', commit === null ? berth : `${berth}, commit ${commit.slice(0, 12)}`],
  ];
}
