import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Node } from '../../src/api/node.ts';
import type { Pod } from '../../src/api/pod.ts';

/** One recorded case; `expect` and the rest depend on `kind`. */
export interface RecordedCase {
  readonly kind: string;
  readonly name: string;
  readonly features: readonly string[];
  readonly objects: { readonly nodes?: readonly Node[]; readonly pods?: readonly Pod[] };
  readonly pod?: Pod;
  readonly expect?: Expectation;
}

interface RecordedStatus {
  readonly plugin: string;
  readonly code: string;
  readonly reasons: readonly string[];
}

type Scores = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What kube-scheduler answered; a field is absent where the recording says nothing. */
export interface Expectation {
  readonly status: string;
  readonly nodeOrder: readonly string[];
  readonly preEnqueueStatus?: RecordedStatus;
  readonly preFilterStatus?: RecordedStatus;
  readonly feasible?: readonly string[];
  readonly nodeStatus?: Readonly<Record<string, RecordedStatus>>;
  readonly scoringSkipped?: boolean;
  readonly rawScores?: Scores;
  readonly scores?: Scores;
  readonly total?: Readonly<Record<string, number>>;
  readonly best?: readonly string[];
  readonly message?: string;
  readonly filterMessage?: string;
}

/** Reads a gzip NDJSON file: one case a line. */
export function readCases(path: string): RecordedCase[] {
  const text = gunzipSync(readFileSync(path)).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedCase);
}
