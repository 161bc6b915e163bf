import { getOrMake } from '../../lib/get-or-make.ts';
import type { DomainCount, PodCounter } from '../../memory/domain-counter.ts';
import { NO_DOMAIN } from '../../memory/topology-domains.ts';
import type { CountedPods } from '../topology/counted-pods.ts';
import { EXCLUDED, EXCLUDED_WORDS, MEMBER, MEMBER_WORDS } from './run-layout.ts';
import type { RunWords } from './run-words.ts';

const NO_MEMBERS: readonly number[] = [];
/** A number of flips that no block has. */
const NEVER = -1;
const NO_RECORD = -1;

/** What keeps the pods of a member from nodes, and how many of its pods the run may place. */
export interface ExcludingPods {
  /** Counts by node of which any pod rejects the node. */
  readonly exclusions: readonly DomainCount[];
  readonly countedPods: CountedPods;
  pods: number;
}

/** The nodes that members of a run are kept from by pods on them, and the members whose pods add to these. */
export class RunExclusions {
  readonly #groupsOf: (pods: PodCounter) => Iterable<CountedPods>;
  readonly #byCounter = new Map<PodCounter, number[]>();
  /** For each member the members to whose nodes its pods may add theirs, and the pods that may add to its own. */
  readonly #excluded: (readonly number[])[] = [];
  readonly #newPods: number[] = [];
  /** The first word of the excluded nodes of each member; NO_RECORD without any. */
  readonly #records: number[] = [];
  #slotCount = 0;
  /** By slot: the last list in which the slot is. */
  #lists = new Int32Array(0);
  #list = 0;

  /** `groupsOf`: the groups of pods that a counter counts. */
  constructor(groupsOf: (pods: PodCounter) => Iterable<CountedPods>) {
    this.#groupsOf = groupsOf;
  }

  begin(members: readonly ExcludingPods[], slotCount: number): void {
    this.#slotCount = slotCount;
    this.#byCounter.clear();
    this.#excluded.length = 0;
    this.#newPods.length = 0;
    for (let i = 0; i < members.length; i++) {
      this.#newPods.push(0);
      for (const { pods } of (members[i] as ExcludingPods).exclusions) {
        const numbers = getOrMake(this.#byCounter, pods, () => []);
        if (numbers.at(-1) !== i) numbers.push(i);
      }
    }
    for (let i = 0; i < members.length; i++) this.#excluded.push(this.#excludedBy(members[i] as ExcludingPods));
  }

  #excludedBy({ countedPods, pods }: ExcludingPods): readonly number[] {
    if (this.#byCounter.size === 0) return NO_MEMBERS;
    const numbers: number[] = [];
    for (const { counter } of countedPods.counters) {
      for (const number of this.#byCounter.get(counter) ?? NO_MEMBERS) {
        if (numbers.includes(number)) continue;
        numbers.push(number);
        this.#newPods[number] = (this.#newPods[number] ?? 0) + pods;
      }
    }
    return numbers;
  }

  /**
   * Writes the nodes that members are kept from, with room for those that the run may add. `first`: the first word of
   * the members; `writeCounts` returns the address of counts.
   */
  write(
    words: RunWords,
    first: number,
    members: readonly ExcludingPods[],
    writeCounts: (counts: readonly DomainCount[]) => number,
  ): void {
    this.#records.length = 0;
    for (let i = 0; i < members.length; i++) {
      const { exclusions } = members[i] as ExcludingPods;
      const record = exclusions.length === 0 ? NO_RECORD : this.#writeNodes(words, i, exclusions, writeCounts);
      this.#records.push(record);
      if (record === NO_RECORD) continue;
      words.values[first + i * MEMBER_WORDS + MEMBER.excluded] = words.address(record);
      words.values[first + i * MEMBER_WORDS + MEMBER.heldFlips] = NEVER;
    }
    for (let i = 0, at = first; i < members.length; i++, at += MEMBER_WORDS) this.#writeExcluders(words, i, at);
  }

  #writeNodes(
    words: RunWords,
    member: number,
    exclusions: readonly DomainCount[],
    writeCounts: (counts: readonly DomainCount[]) => number,
  ): number {
    const counts = writeCounts(exclusions);
    const slots = this.slotsOf(exclusions);
    const room = Math.min(this.#slotCount, slots.length + (this.#newPods[member] ?? 0));
    const list = words.take(room);
    const record = words.take(EXCLUDED_WORDS);
    const { values } = words;
    for (let k = 0; k < slots.length; k++) values[list + k] = slots[k] as number;
    values[record + EXCLUDED.counts] = counts;
    values[record + EXCLUDED.countCount] = exclusions.length;
    values[record + EXCLUDED.slots] = words.address(list);
    values[record + EXCLUDED.length] = slots.length;
    values[record + EXCLUDED.room] = room;
    values[record + EXCLUDED.skipped] = 0;
    return record;
  }

  /** Writes the lists of nodes to which pods of the member may add theirs. */
  #writeExcluders(words: RunWords, member: number, at: number): void {
    const numbers = this.#excluded[member] ?? NO_MEMBERS;
    if (numbers.length === 0) return;
    const list = words.list(numbers.map((number) => words.address(this.#records[number] as number)));
    words.values[at + MEMBER.excluders] = list;
    words.values[at + MEMBER.excluderCount] = numbers.length;
  }

  /** The number of excluded nodes that searches for pods of the member have looked at. */
  skippedNodes({ values }: RunWords, member: number): number {
    const record = this.#records[member] ?? NO_RECORD;
    return record === NO_RECORD ? 0 : (values[record + EXCLUDED.skipped] ?? 0);
  }

  /** The slots of nodes with a counted pod, each once. */
  slotsOf(exclusions: readonly DomainCount[]): readonly number[] {
    if (this.#lists.length < this.#slotCount) this.#lists = new Int32Array(this.#slotCount * 2);
    const list = ++this.#list;
    const slots: number[] = [];
    for (const { pods, domains } of exclusions) {
      if (pods.total === 0) continue;
      for (const { perSlot } of this.#groupsOf(pods)) {
        for (const slot of perSlot.slots()) {
          if (this.#lists[slot] === list || domains.domainOf(slot) === NO_DOMAIN) continue;
          this.#lists[slot] = list;
          slots.push(slot);
        }
      }
    }
    return slots;
  }
}
