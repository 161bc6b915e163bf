import type { Resources } from '../../api/resources.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { toFloat64 } from '../../lib/int64.ts';

/** Shares of the allocatable resources of all ready nodes together, 0 to 1. */
export interface Usage {
  /** The average over the time since the first node existed. */
  readonly average: number;
  readonly peak: number;
}

/** What nodes that are not ready have taken away, in the unit of the resource; cpu in cores. */
export interface Capacity {
  /** The resources of ready nodes at the end. */
  readonly left: number;
  /** The resources of nodes that are not ready at the end. */
  readonly lost: number;
  readonly mostLost: number;
}

interface Account {
  requested: number;
  /** The resources of ready nodes. */
  offered: number;
  /** The resources of nodes that are not ready. */
  lost: number;
  mostLost: number;
  peak: number;
  /** The share integrated over time. */
  shareMillis: number;
}

/** Amounts by resource name; cpu in thousandths. */
export type AmountsByName = readonly (readonly [name: string, amount: number])[];

/** Measures what pods on ready nodes request of these nodes' allocatable resources over time, by resource. */
export class UsageMeter {
  readonly #accounts = new Map<string, Account>();
  #sinceMillis = Number.NaN;
  /** The time up to which usage has been measured. */
  lastMillis = Number.NaN;

  offer(amounts: AmountsByName, sign: 1 | -1, nowMillis: number): void {
    if (Number.isNaN(this.#sinceMillis)) this.#sinceMillis = nowMillis;
    this.#advance(nowMillis);
    for (const [name, amount] of amounts) this.#account(name).offered += sign * amount;
  }

  /** Counts resources of a node that is not ready; a negative sign when it is again, or is gone. */
  lose(amounts: AmountsByName, sign: 1 | -1): void {
    for (const [name, amount] of amounts) {
      const account = this.#account(name);
      account.lost += sign * amount;
      account.mostLost = Math.max(account.mostLost, account.lost);
    }
  }

  /** Counts what a pod requests. A sign of 0 measures the shares alone, for a pod that goes on requesting the same. */
  request(amounts: AmountsByName, sign: 1 | 0 | -1, nowMillis: number): void {
    this.#advance(nowMillis);
    for (let i = 0; i < amounts.length; i++) {
      const [name, amount] = amounts[i] as AmountsByName[number];
      const account = this.#account(name);
      account.requested += sign * amount;
      const share = shareOf(account);
      if (share > account.peak) account.peak = share;
    }
  }

  get names(): string[] {
    return [...this.#accounts.keys()];
  }

  /** The share that is requested now. */
  share(name: string): number {
    const account = this.#accounts.get(name);
    return account === undefined ? 0 : shareOf(account);
  }

  /** The share of the nodes' resources that is there now. */
  shareLeft(name: string): number {
    const { offered, lost } = this.#accounts.get(name) ?? { offered: 0, lost: 0 };
    return offered + lost > 0 ? offered / (offered + lost) : 1;
  }

  /** The resources of which some were lost at some time. */
  capacity(): Readonly<Record<string, Capacity>> {
    return Object.fromEntries(
      [...this.#accounts]
        .filter(([, { mostLost }]) => mostLost > 0)
        .map(([name, { offered, lost, mostLost }]) => {
          const unit = name === 'cpu' ? 1000 : 1;
          return [name, { left: offered / unit, lost: lost / unit, mostLost: mostLost / unit }];
        }),
    );
  }

  usage(nowMillis: number): Readonly<Record<string, Usage>> {
    this.#advance(nowMillis);
    const spanMillis = nowMillis - this.#sinceMillis;
    return Object.fromEntries(
      [...this.#accounts]
        .filter(([, { offered, peak }]) => offered > 0 || peak > 0)
        .map(([name, { peak, shareMillis }]) => {
          return [name, { average: rounded(spanMillis > 0 ? shareMillis / spanMillis : 0), peak: rounded(peak) }];
        }),
    );
  }

  #advance(nowMillis: number): void {
    const elapsedMillis = nowMillis - this.lastMillis;
    this.lastMillis = nowMillis;
    if (!(elapsedMillis > 0)) return;
    for (const account of this.#accounts.values()) account.shareMillis += shareOf(account) * elapsedMillis;
  }

  #account(name: string): Account {
    return getOrMake(this.#accounts, name, newAccount);
  }
}

function newAccount(): Account {
  return { requested: 0, offered: 0, lost: 0, mostLost: 0, peak: 0, shareMillis: 0 };
}

/** The amounts of the resources that every node has, and of extended resources. */
export function amountsOf({ milliCPU, memoryBytes, scalar }: Resources): AmountsByName {
  const amounts: (readonly [string, number])[] = [
    ['cpu', toFloat64(milliCPU)],
    ['memory', toFloat64(memoryBytes)],
  ];
  for (const [name, amount] of scalar) amounts.push([name, toFloat64(amount)]);
  return amounts;
}

function shareOf({ requested, offered }: Account): number {
  return offered > 0 ? requested / offered : 0;
}

/** Rounds to six places, since further ones depend on the order of additions. */
function rounded(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}
