import type { Fact, ReportPage, Section } from '../../report/sections.ts';
import { durationText } from '../../report/units.ts';
import { CHANGE_MILLIS, type TimedOutcome } from '../../what-if/in-time/timed-trial.ts';
import { timedLines } from '../output/timed-what-if.ts';
import { answerLines, type WhatIfResult } from '../output/what-if.ts';
import type { ReportedSimulation } from './reported-simulation.ts';
import { simulationPage } from './simulation-page.ts';
import { fatePods } from './what-if-page.ts';

export interface TimedPageInput {
  /** What a search has found; undefined: nothing was searched. */
  readonly answer: WhatIfResult | undefined;
  readonly withChange: TimedOutcome;
  readonly forMillis: number;
}

/** The page of a question in time: what was found, what followed, and both simulations in one plot. */
export function timedWhatIfPage(
  { answer, withChange, forMillis }: TimedPageInput,
  simulations: readonly ReportedSimulation[],
  facts: readonly Fact[],
): ReportPage {
  const page = simulationPage(simulations, facts);
  const [before, after] = [CHANGE_MILLIS, forMillis].map((millis) => durationText(millis / 1000));
  const paragraphs = [...(answer === undefined ? [] : answerLines(answer)), ...timedLines(withChange)];
  return {
    ...page,
    title: 'Berth what-if, in time',
    about: `The change comes after ${before}, and ${after} follow.`,
    sections: [
      { kind: 'text', title: 'Answer', paragraphs },
      ...workloadTable(withChange),
      ...page.sections,
      ...(answer === undefined ? [] : fatePods(answer.groups)),
    ],
  };
}

function workloadTable({ workloads }: TimedOutcome): readonly Section[] {
  if (workloads.length === 0) return [];
  return [
    {
      ...{ kind: 'table', title: 'Ready pods of the workloads concerned' },
      columns: [
        { title: 'Workload' },
        ...['Before', 'Least', 'At the end'].map((title) => ({ title, unit: 'count' }) as const),
        { title: 'Back after', unit: 'seconds' },
      ],
      rows: workloads.map(({ workload, before, least, end, backMillis }) => {
        return [workload, before, least, end, least < before && backMillis !== null ? backMillis / 1000 : null];
      }),
    },
  ];
}
