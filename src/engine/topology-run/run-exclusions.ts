import { getOrMake } from '../../lib/get-or-make.ts';
import type { DomainCount, PodCounter } from '../../memory/domain-counter.ts';
import { NO_DOMAIN, type NodeDomains } from '../../memory/topology-domains.ts';
import type { CountedPods } from '../topology/counted-pods.ts';
import { EXCLUDED, EXCLUDED_WORDS, EXCLUDER, EXCLUDER_WORDS, MEMBER, MEMBER_WORDS } from './run-layout.ts';
import type { RunWords } from './run-words.ts';

/** The bits of a word. */
const WORD_BITS = 32;
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

/** A member that is kept from nodes with counted pods, if they lie in one of these domains. */
interface KeptMember {
  readonly number: number;
  readonly domains: NodeDomains;
}

const NO_MEMBERS: readonly KeptMember[] = [];

/** The nodes that members of a run are kept from by pods on them, and the members whose pods add to these. */
export class RunExclusions {
  readonly #groupsOf: (pods: PodCounter) => Iterable<CountedPods>;
  readonly #byCounter = new Map<PodCounter, KeptMember[]>();
  /** For each member those to whose nodes its pods may add theirs, and the number of pods that may add to its own. */
  readonly #excluded: (readonly KeptMember[])[] = [];
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
      for (const { pods, domains } of (members[i] as ExcludingPods).exclusions) {
        const kept = getOrMake(this.#byCounter, pods, () => []);
        const last = kept.at(-1);
        if (last?.number !== i || last.domains !== domains) kept.push({ number: i, domains });
      }
    }
    for (let i = 0; i < members.length; i++) this.#excluded.push(this.#excludedBy(members[i] as ExcludingPods));
  }

  #excludedBy({ countedPods, pods }: ExcludingPods): readonly KeptMember[] {
    if (this.#byCounter.size === 0) return NO_MEMBERS;
    const all: KeptMember[] = [];
    for (const { counter } of countedPods.counters) {
      for (const kept of this.#byCounter.get(counter) ?? NO_MEMBERS) {
        const { number, domains } = kept;
        const known = all.filter((other) => other.number === number);
        if (known.length === 0) this.#newPods[number] = (this.#newPods[number] ?? 0) + pods;
        if (!known.some((other) => other.domains === domains)) all.push(kept);
      }
    }
    return all;
  }

  /**
   * Writes the nodes that members are kept from, with room for those that the run may add. `first`: the first word of
   * the members.
   */
  write(words: RunWords, first: number, members: readonly ExcludingPods[]): void {
    this.#records.length = 0;
    for (let i = 0; i < members.length; i++) {
      const { exclusions } = members[i] as ExcludingPods;
      const record = exclusions.length === 0 ? NO_RECORD : this.#writeNodes(words, i, exclusions);
      this.#records.push(record);
      if (record === NO_RECORD) continue;
      words.values[first + i * MEMBER_WORDS + MEMBER.excluded] = words.address(record);
      words.values[first + i * MEMBER_WORDS + MEMBER.heldFlips] = NEVER;
    }
    for (let i = 0, at = first; i < members.length; i++, at += MEMBER_WORDS) this.#writeExcluders(words, i, at);
  }

  #writeNodes(words: RunWords, member: number, exclusions: readonly DomainCount[]): number {
    const slots = this.slotsOf(exclusions);
    const room = Math.min(this.#slotCount, slots.length + (this.#newPods[member] ?? 0));
    const bitWords = Math.ceil(this.#slotCount / WORD_BITS);
    const bits = words.take(bitWords);
    const list = words.take(room);
    const record = words.take(EXCLUDED_WORDS);
    const { values } = words;
    values.fill(0, bits, bits + bitWords);
    for (let k = 0; k < slots.length; k++) {
      const slot = slots[k] as number;
      const word = bits + Math.floor(slot / WORD_BITS);
      values[word] = (values[word] ?? 0) | (1 << (slot % WORD_BITS));
      values[list + k] = slot;
    }
    values[record + EXCLUDED.bits] = words.address(bits);
    values[record + EXCLUDED.slots] = words.address(list);
    values[record + EXCLUDED.length] = slots.length;
    values[record + EXCLUDED.room] = room;
    values[record + EXCLUDED.skipped] = 0;
    return record;
  }

  /** Writes the lists of nodes to which pods of the member may add theirs. */
  #writeExcluders(words: RunWords, member: number, at: number): void {
    const kept = this.#excluded[member] ?? NO_MEMBERS;
    if (kept.length === 0) return;
    const list = words.take(kept.length * EXCLUDER_WORDS);
    const { values } = words;
    for (let k = 0, excluder = list; k < kept.length; k++, excluder += EXCLUDER_WORDS) {
      const { number, domains } = kept[k] as KeptMember;
      values[excluder + EXCLUDER.nodes] = words.address(this.#records[number] as number);
      values[excluder + EXCLUDER.domains] = domains.column.pointer;
    }
    values[at + MEMBER.excluders] = words.address(list);
    values[at + MEMBER.excluderCount] = kept.length;
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
