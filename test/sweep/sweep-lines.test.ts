import { describe, expect, it } from 'vitest';
import { SeedList } from '../../src/sweep/seed-list.ts';
import type { SimulationResult } from '../../src/sweep/simulator.ts';
import { checkFound, type FoundLine, headerLine, runLine } from '../../src/sweep/sweep-lines.ts';
import type { SweepParameters } from '../../src/sweep/sweep-plan.ts';

const PARAMETERS: SweepParameters = {
  ...{ kind: 'basic', nodes: 10, pods: 20, tieBreak: 'random', percentageOfNodesToScore: 30 },
  seeds: SeedList.parse('5..7'),
  configs: [{ name: 'ä.yaml', sha256: 'ff' }],
};
const RESULT: SimulationResult = {
  ...{ scheduled: 19, unschedulable: 1, preempted: 0, nodesInUse: 3 },
  utilisation: { cpu: 0.5, memory: 0.25, pods: 0.125 },
  decisionHash: 'abc',
};
const ORIGIN = { berth: '1.2.3', commit: null, command: 'berth sweep', time: '2026-01-01T00:00:00Z' };
const HEADER = headerLine(PARAMETERS, ORIGIN);

it('a file begins with its parameters, and has a line a run', () => {
  expect(HEADER).toBe(
    '{"format":"berth-sweep","version":1,"berth":"1.2.3","kind":"basic","nodes":10,"pods":20,"tieBreak":"random",' +
      '"percentageOfNodesToScore":30,"configs":[{"name":"ä.yaml","sha256":"ff"}],"seeds":"5..7","runs":3,' +
      '"origin":{"commit":null,"command":"berth sweep","time":"2026-01-01T00:00:00Z"}}',
  );
  expect(runLine(PARAMETERS, 1, RESULT)).toBe(
    '{"run":2,"seed":6,"config":"ä.yaml","scheduled":19,"unschedulable":1,"preempted":0,"nodesInUse":3,' +
      '"utilisation":{"cpu":0.5,"memory":0.25,"pods":0.125},"decisionHash":"abc"}',
  );
});

describe('checkFound', () => {
  const [first, second, third] = [0, 1, 2].map((index) => runLine(PARAMETERS, index, RESULT)) as [
    string,
    string,
    string,
  ];
  const check = async (text: string) => checkFound(linesOf(text), HEADER, PARAMETERS, 'f');

  it('keeps whole lines', async () => {
    expect(await check('')).toEqual({ runs: 0, bytes: 0 });
    expect(await check(`${HEADER}\n`)).toEqual({ runs: 0, bytes: Buffer.byteLength(HEADER) + 1 });
    const two = `${HEADER}\n${first}\n${second}\n`;
    expect(await check(two)).toEqual({ runs: 2, bytes: Buffer.byteLength(two) });
    expect(await check(two + third)).toEqual({ runs: 2, bytes: Buffer.byteLength(two) });
    expect(await check(`${two}${third}\n`)).toMatchObject({ runs: 3 });
    expect(await check(HEADER.slice(0, 9))).toEqual({ runs: 0, bytes: 0 });
    expect(await check(HEADER.slice(0, -9))).toEqual({ runs: 0, bytes: 0 });
  });

  it('does not mind by which command, and when, the file was begun', async () => {
    const later = headerLine(PARAMETERS, { ...ORIGIN, commit: 'abc', command: 'berth sweep --resume', time: 'later' });
    expect(await check(`${later}\n${first}\n`)).toMatchObject({ runs: 1 });
    expect(await check(later.slice(0, -3))).toEqual({ runs: 0, bytes: 0 });
  });

  it.each<[string, string, string]>([
    ['NotASweep', 'kind: Node\n', 'f: was not written by berth sweep'],
    ['NotASweep', 'kind: Node', 'f: was not written by berth sweep'],
    ['NotASweep', '{"format":"berth-bench"}\n', 'f: was not written by berth sweep'],
    ['NotASweep', `${HEADER}\n${second}\n`, 'f:2: is not the line of run 1, seed 5'],
    ['NotASweep', `${HEADER}\n${first}\n\n`, 'f:3: is not the line of run 2, seed 6'],
    ['NotASweep', `${HEADER}\n${first}\n${second}\n${third}\n${third}\n`, 'f:5: is one line too many'],
  ])('refuses what is none: %s', async (code, text, message) => {
    await expect(check(text)).rejects.toMatchObject({ code, message });
  });

  it('says in what the parameters of another sweep differ', async () => {
    const other = headerLine({ ...PARAMETERS, nodes: 11, configs: [] }, ORIGIN);
    await expect(check(`${other}\n`)).rejects.toMatchObject({
      code: 'OtherSweep',
      message: 'f: is of another sweep: nodes 11, not 10; configs [], not [{"name":"ä.yaml","sha256":"ff"}]',
    });
  });
});

async function* linesOf(text: string): AsyncGenerator<FoundLine> {
  let endByte = 0;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    endByte += Buffer.byteLength(line);
    yield { text: line.replace('\n', ''), isWhole: line.endsWith('\n'), endByte };
  }
}
