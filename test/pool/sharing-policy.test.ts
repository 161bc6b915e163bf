import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../src/lib/clock.ts';
import { MeasuredPolicy } from '../../src/pool/sharing-policy.ts';

/** The time of a step on an imagined machine, and whether another thread helps. */
interface Machine {
  aloneMillis: number;
  sharedMillis: number;
  isHelped: boolean;
}

/** Runs steps, and returns for each whether it was shared: S for shared, a for alone. */
function play(policy: MeasuredPolicy, clock: FakeClock, machine: Machine, steps: number, work = 1): string {
  let reported = '';
  for (let step = 0; step < steps; step++) {
    const isShared = policy.isShared();
    clock.advance((isShared ? machine.sharedMillis : machine.aloneMillis) * work);
    policy.finished(work, isShared && machine.isHelped);
    reported += isShared ? 'S' : 'a';
  }
  return reported;
}

const sharedIn = (reported: string): number => reported.split('S').length - 1;

function start(machine: Partial<Machine>) {
  const clock = new FakeClock();
  const full: Machine = { aloneMillis: 1, sharedMillis: 0.5, isHelped: true, ...machine };
  return { policy: new MeasuredPolicy(clock), clock, machine: full };
}

describe('the measured policy', () => {
  it('takes the time alone first, then shares as long as that is faster', () => {
    const { policy, clock, machine } = start({});
    const reported = play(policy, clock, machine, 5000);
    expect(reported).toMatch(/^a{16}S{100}/);
    expect(sharedIn(reported)).toBeGreaterThan(4900);
    // The time alone is measured again in between.
    expect(reported.slice(16)).toContain('SaaaaaaaaaaaaaaaaS');
  });

  it('shares hardly anything while that is slower, and tries again ever more seldom', () => {
    const { policy, clock, machine } = start({ sharedMillis: 3 });
    const reported = play(policy, clock, machine, 20_000);
    expect(sharedIn(reported)).toBeGreaterThan(0);
    expect(sharedIn(reported)).toBeLessThan(150);
    const rests = reported.split(/S+/).map(({ length }) => length);
    expect(rests.slice(0, 5)).toEqual([16, 272, 528, 1040, 2064]);
  });

  it('ends measurements that have cost more than they can bring', () => {
    const { policy, clock, machine } = start({ sharedMillis: 40 });
    const reported = play(policy, clock, machine, 200);
    expect(reported).toMatch(/^a{16}SSa+$/);
  });

  it('gives no processor away for a gain of two per cent', () => {
    const { policy, clock, machine } = start({ sharedMillis: 0.98 });
    expect(play(policy, clock, machine, 300)).toMatch(/^a{16}S{33}a+$/);
  });

  it('goes back to sharing when the machine is free again, and stops when it is not', () => {
    const { policy, clock, machine } = start({ sharedMillis: 2 });
    play(policy, clock, machine, 2000);
    machine.sharedMillis = 0.5;
    expect(sharedIn(play(policy, clock, machine, 4000))).toBeGreaterThan(2000);
    machine.sharedMillis = 2;
    expect(sharedIn(play(policy, clock, machine, 4000))).toBeLessThan(300);
  });

  it('waits for threads that wake up late, but not for ever', () => {
    const { policy, clock, machine } = start({ isHelped: false, sharedMillis: 1 });
    expect(play(policy, clock, machine, 100)).toMatch(/^a{16}S{84}$/);
    machine.isHelped = true;
    machine.sharedMillis = 0.5;
    expect(play(policy, clock, machine, 1000)).toMatch(/^S{1000}$/);
    const nobody = start({ isHelped: false, sharedMillis: 1 });
    expect(play(nobody.policy, nobody.clock, nobody.machine, 500)).toMatch(/^a{16}S{256}a{228}$/);
  });

  it('times few steps where they are long, and rests for fewer', () => {
    const { policy, clock, machine } = start({ aloneMillis: 7, sharedMillis: 4 });
    expect(play(policy, clock, machine, 100)).toMatch(/^a{3}S{97}$/);
    const slow = start({ aloneMillis: 30, sharedMillis: 31 });
    expect(play(slow.policy, slow.clock, slow.machine, 60)).toMatch(/^aS{3}a{17}S{3}a{33}S{3}$/);
  });

  it('compares by work: large steps are no slower than small ones', () => {
    const { policy, clock, machine } = start({ aloneMillis: 0.25, sharedMillis: 0.125 });
    let reported = '';
    for (let i = 0; i < 200; i++) reported += play(policy, clock, machine, 1, 1 + (i % 7));
    expect(reported).toMatch(/^a{16}S{184}$/);
  });
});
