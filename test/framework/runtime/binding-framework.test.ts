import { describe, expect, it } from 'vitest';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import type { Plugin } from '../../../src/framework/plugin.ts';
import { BindingFramework } from '../../../src/framework/runtime/binding-framework.ts';
import { errorStatus, type Status, skip, unschedulable } from '../../../src/framework/status.ts';
import { makeNodeInfo, makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const POD = makePodInfo(makePod('p'));
const NODE = makeNodeInfo(makeNode('n'));

function frameworkOf(...plugins: object[]): BindingFramework {
  const all = plugins as Plugin[];
  const byPoint = { reserve: all, permit: all, preBind: all, bind: all, postBind: all };
  return new BindingFramework({ byPoint, scoreWeights: new Map() });
}

function reasons(status: Status | null): string {
  return status === null ? 'Success' : `${status.code} of ${status.plugin}: ${status.reasons.join(', ')}`;
}

describe('reserve', () => {
  it('stops at the first rejection; unreserve calls all plugins in reverse order', () => {
    const called: string[] = [];
    const plugin = (name: string, answer: Status | null) => ({
      name,
      reserve: () => {
        called.push(name);
        return answer;
      },
      unreserve: () => called.push(`un${name}`),
    });
    const framework = frameworkOf(plugin('A', null), plugin('B', unschedulable('', 'full')), plugin('C', null));
    expect(reasons(framework.reserve(new CycleState(), POD, NODE))).toBe('Unschedulable of B: full');
    framework.unreserve(new CycleState(), POD, NODE);
    expect(called).toEqual(['A', 'B', 'unC', 'unB', 'unA']);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
      'Error of A: running Reserve plugin "A": boom',
    ],
    [
      'throws no error',
      () => {
        throw 'boom';
      },
      'Error of A: running Reserve plugin "A": boom',
    ],
    ['returns an unknown code', () => ({ code: 'Perhaps', reasons: [] }), 'is not a status'],
    ['returns a number', () => 42, 'Error of A: running Reserve plugin "A": 42 is not a status'],
    ['returns Success', () => ({ code: 'Success', reasons: [] }), 'Success'],
  ])('a plugin that %s', (_, reserve, expected) => {
    expect(reasons(frameworkOf({ name: 'A', reserve, unreserve() {} }).reserve(new CycleState(), POD, NODE))).toContain(
      expected,
    );
  });
});

describe('permit', () => {
  const permit = (answer: unknown, name = 'A') => ({ name, permit: () => answer });
  const run = (...plugins: object[]) => frameworkOf(...plugins).permit(new CycleState(), POD, 'n');

  it('gathers who lets the pod wait, and for how long, a quarter of an hour at most', () => {
    const wait = (timeoutMillis: number) => ({ code: 'Wait', reasons: [], timeoutMillis });
    const { rejected, waits } = run(permit(wait(50)), permit(null, 'B'), permit(wait(9e9), 'C'));
    expect(rejected).toBeNull();
    expect([...waits]).toEqual([
      ['A', 50],
      ['C', 900_000],
    ]);
  });

  it('a rejection overrides plugins that hold the pod', () => {
    const wait = { code: 'Wait', reasons: [], timeoutMillis: 50 };
    const { rejected, waits } = run(permit(wait), permit(unschedulable('', 'no'), 'B'));
    expect(reasons(rejected)).toBe('Unschedulable of B: no');
    expect(waits.size).toBe(0);
  });

  it('a wait without end is nonsense', () => {
    expect(reasons(run(permit({ code: 'Wait', reasons: ['soon'] })).rejected)).toBe(
      'Error of A: running Permit plugin "A": soon',
    );
  });
});

describe('preBind', () => {
  const run = (...plugins: object[]): string => {
    const framework = frameworkOf(...plugins);
    const willing = framework.preBindPreFlight(new CycleState(), POD, 'n');
    if ('code' in willing) return reasons(willing);
    let result = 'waiting';
    framework.preBind(willing, new CycleState(), POD, 'n', (failure) => {
      result = `${willing.map(({ name }) => name)}: ${reasons(failure)}`;
    });
    return result;
  };

  it('calls those that did not skip, one after the other', () => {
    const called: string[] = [];
    const preBind = (name: string, flight: Status | null) => ({
      name,
      preBindPreFlight: () => flight,
      preBind: () => {
        called.push(name);
        return null;
      },
    });
    expect(run(preBind('A', null), preBind('B', skip('B')), preBind('C', null))).toBe('A,C: Success');
    expect(called).toEqual(['A', 'C']);
  });

  it('takes an answer that comes later, once', () => {
    let answer: (status: Status | null) => void = () => {};
    const later = {
      name: 'A',
      preBind: () => (done: typeof answer) => {
        answer = done;
      },
    };
    const framework = frameworkOf(later);
    const results: string[] = [];
    framework.preBind([later], new CycleState(), POD, 'n', (failure) => results.push(reasons(failure)));
    expect(results).toEqual([]);
    answer(errorStatus('A', 'late'));
    answer(null);
    expect(results).toEqual(['Error of A: running PreBind plugin "A": late']);
  });

  it('a flight check knows two answers, and errors', () => {
    const flight = (status: Status) => ({ name: 'A', preBindPreFlight: () => status, preBind: () => null });
    expect(run(flight(errorStatus('A', 'x')))).toBe('Error of A: running PreBindPreFlight "A": x');
    expect(run(flight(unschedulable('A', 'x')))).toBe(
      'Error of A: PreBindPreFlight A returned "Unschedulable", which is unsupported. ' +
        'It is supposed to return Success, Skip, or Error status',
    );
  });

  it('a rejection keeps its words', () => {
    expect(run({ name: 'A', preBind: () => unschedulable('', 'no') })).toBe('A: Unschedulable of A: no');
  });
});

describe('bind', () => {
  const run = (...answers: (Status | null)[]): string => {
    let result = '';
    const plugins = answers.map((answer, i) => ({ name: `B${i}`, bind: () => answer }));
    frameworkOf(...plugins).bind(new CycleState(), POD, 'n', (failure) => {
      result = reasons(failure);
    });
    return result;
  };

  it('goes on to the next while plugins skip', () => {
    expect(run(skip('B0'), null, errorStatus('B2', 'not asked'))).toBe('Success');
    expect(run(skip('B0'), errorStatus('B1', 'x'))).toBe('Error of B1: running Bind plugin "B1": x');
    expect(run(skip('B0'))).toBe('Skip of B0: ');
    expect(run()).toBe('Skip of : ');
  });
});
