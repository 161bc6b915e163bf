import { CodedError } from '../../lib/errors.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { BenchReport, BenchResult, Machine } from '../result.ts';
import { variantName } from '../variant.ts';
import { compareSamples, median, type SampleComparison } from './mann-whitney.ts';

/** One report's measurements of a compared case. */
export interface ComparedSide {
  /** The median of the repetitions. */
  readonly podsPerSecond: number;
  readonly pods: number;
  readonly runs: number;
}

export interface ComparedCase extends SampleComparison {
  readonly name: string;
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  /** The median throughput of b divided by that of a. */
  readonly ratio: number;
  readonly isSignificant: boolean;
  /** Remarks that the reader should know before relying on the ratio. */
  readonly notes: readonly string[];
}

export interface ReportComparison {
  readonly machines: readonly [a: Machine, b: Machine];
  readonly cases: readonly ComparedCase[];
  /** The names of cases that only report a has. */
  readonly onlyInA: readonly string[];
  readonly onlyInB: readonly string[];
}

const SIGNIFICANCE = 0.05;

interface NamedReport {
  readonly name: string;
  readonly report: BenchReport;
}

/** Compares two reports. Throws `NothingInCommon`. */
export function compareReports(a: NamedReport, b: NamedReport): ReportComparison {
  // A case that was run several times counts as one with more repetitions.
  const [inA, inB] = [groupBy(a.report.results, caseName), groupBy(b.report.results, caseName)];
  const cases = [...inA].flatMap(([name, results]) => {
    const others = inB.get(name);
    return others === undefined ? [] : [compareCase(name, results, others)];
  });
  if (cases.length === 0) throw new CodedError('NothingInCommon', `${a.name} and ${b.name} have no case in common`);
  return {
    machines: [a.report.machine, b.report.machine],
    cases,
    onlyInA: [...inA.keys()].filter((name) => !inB.has(name)),
    onlyInB: [...inB.keys()].filter((name) => !inA.has(name)),
  };
}

/** The name of a case. It does not contain the number of pods, since a suite places as many as there is time for. */
function caseName(result: BenchResult): string {
  const { suite, kind, nodes, percentageOfNodesScored } = result;
  const sampling = percentageOfNodesScored === 100 ? '' : `, ${Math.round(percentageOfNodesScored)}% of nodes scored`;
  return `${suite}: ${kind}, ${nodes} nodes, ${variantName(result)}${sampling}`;
}

function compareCase(name: string, a: readonly BenchResult[], b: readonly BenchResult[]): ComparedCase {
  const [ratesA, ratesB] = [a.flatMap(rates), b.flatMap(rates)];
  const { p, interval } = compareSamples(ratesA, ratesB);
  const sides = { a: side(a, ratesA), b: side(b, ratesB) };
  return {
    name,
    ...sides,
    ratio: sides.b.podsPerSecond / sides.a.podsPerSecond,
    p,
    interval,
    isSignificant: p < SIGNIFICANCE,
    notes: notesOf(a[0] as BenchResult, b[0] as BenchResult, interval === null),
  };
}

function side(results: readonly BenchResult[], ofRuns: readonly number[]): ComparedSide {
  return { podsPerSecond: median(ofRuns), pods: (results[0] as BenchResult).pods, runs: ofRuns.length };
}

/** The pods per second of each repetition. */
function rates({ pods, secondsOfRuns }: BenchResult): number[] {
  return secondsOfRuns.map((seconds) => pods / seconds);
}

function notesOf(a: BenchResult, b: BenchResult, hasTooFewRuns: boolean): string[] {
  const notes: string[] = [];
  if (hasTooFewRuns) notes.push('too few runs to tell: four of each are needed');
  if (a.pods !== b.pods) notes.push(`${a.pods} and ${b.pods} pods`);
  else if (a.decisionHash !== b.decisionHash) notes.push('DIFFERENT decisions');
  return notes;
}
