import type { ReportComparison } from '../../benchmark/compare/compare-reports.ts';
import type { BenchReport } from '../../benchmark/result.ts';
import type { Fact, ReportPage, Section } from '../../report/sections.ts';
import { percentChange } from '../text/numbers.ts';
import { throughputSections } from './throughput-sections.ts';

interface NamedReport {
  readonly name: string;
  readonly report: BenchReport;
}

/** The page of two benchmarks: both in one plot for each kind, and what differs by more than chance. */
export function benchComparisonPage(
  reports: readonly [a: NamedReport, b: NamedReport],
  comparison: ReportComparison,
  origin: readonly Fact[],
): ReportPage {
  const [a, b] = reports;
  const certain = comparison.cases.filter(({ isSignificant }) => isSignificant);
  const slower = certain.filter(({ ratio }) => ratio < 1).length;
  // Two files may have one name, in different folders or standard input twice.
  const names = a.name === b.name ? ['A', 'B'] : [a.name, b.name];
  return {
    title: 'Berth benchmark, compared',
    about: `${b.name} against ${a.name}.`,
    facts: [...origin, ...reports.flatMap(({ report }, i) => reportFacts('AB'[i] ?? '', report))],
    highlights: [
      { name: 'Cases', value: String(comparison.cases.length), note: 'that both have' },
      { name: 'Faster', value: String(certain.length - slower), note: 'and not by chance' },
      { name: 'Slower', value: String(slower), note: 'and not by chance', isBad: slower > 0 },
    ],
    sections: [
      ...throughputSections(reports.map(({ report }, i) => ({ name: names[i] ?? '', results: report.results }))),
      caseTable(comparison),
      ...onlyIn(comparison, names),
    ],
  };
}

function reportFacts(side: string, { machine, origin }: BenchReport): readonly Fact[] {
  const { cpu, cores, node } = machine;
  const version = origin === undefined ? '' : `, berth ${origin.berth}, ${origin.command}`;
  return [[side, `${cpu}, ${cores} cores, Node.js ${node}${version}`]];
}

function caseTable({ cases }: ReportComparison): Section {
  return {
    ...{ kind: 'table', title: 'Cases' },
    note: 'Medians. The interval holds the true difference with 95% confidence; p is from a Mann-Whitney U test.',
    columns: [
      ...[{ title: 'Case' }, { title: 'A', unit: 'perSecond' as const }, { title: 'B', unit: 'perSecond' as const }],
      ...[{ title: 'Difference' }, { title: 'Interval' }, { title: 'p', unit: 'number' as const }, { title: 'Runs' }],
      { title: 'Remarks' },
    ],
    rows: cases.map(({ name, a, b, ratio, isSignificant, interval, p, notes }) => [
      ...[
        name,
        a.podsPerSecond,
        b.podsPerSecond,
        isSignificant ? percentChange(ratio) : `${percentChange(ratio)}, by chance`,
      ],
      ...[
        interval === null ? '' : interval.map(percentChange).join(' to '),
        p,
        `${a.runs} and ${b.runs}`,
        notes.join('; '),
      ],
    ]),
  };
}

function onlyIn({ onlyInA, onlyInB }: ReportComparison, names: readonly string[]): readonly Section[] {
  const rows = [onlyInA, onlyInB].flatMap((cases, i) => cases.map((name) => [name, names[i] ?? '']));
  if (rows.length === 0) return [];
  return [
    { kind: 'table', title: 'Cases that one of them has', columns: [{ title: 'Case' }, { title: 'Report' }], rows },
  ];
}
