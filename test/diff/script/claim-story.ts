import type { Pod } from '../../../src/api/pod.ts';
import type { ResourceClaim } from '../../../src/api/resource-claims.ts';
import type { Dice } from '../../dst/script/dice.ts';
import type { ScriptEvent } from '../../parity/script/script-case.ts';
import { drawDeviceChange, drawDevices, drawReference, greedyClaim } from './draw-claims.ts';
import { metaOf, type Town } from './town.ts';

/** What happens about devices in one script. */
export class ClaimStory {
  readonly #dice: Dice;
  readonly #town: Town;
  /** The claims that were made, as they were made, by namespace and name. */
  readonly #claims = new Map<string, ResourceClaim>();
  #new: ScriptEvent[] = [];

  constructor(dice: Dice, town: Town) {
    this.#dice = dice;
    this.#town = town;
  }

  begin(): readonly ScriptEvent[] {
    return drawDevices(this.#dice, this.#town).map((event) => this.#noted(event));
  }

  changes(): readonly ScriptEvent[] {
    const dice = this.#dice;
    const changes = dice.list(0, this.#town.mostChanges, () =>
      drawDeviceChange(dice, this.#town, [...this.#claims.values()]).map((event) => this.#noted(event)),
    );
    return changes.flat();
  }

  /** The pod with a claim, mostly one of its own. */
  claiming(pod: Pod): Pod {
    if (this.#dice.oneIn(3)) return pod;
    const { name = '', namespace = '' } = pod.metadata ?? {};
    const { reference, own } = drawReference(this.#dice, name, namespace);
    // A pod that comes again has the claim that it had.
    if (own !== null && !this.#claims.has(`${namespace}/${own.metadata?.name}`)) {
      this.#new.push(this.#noted({ t: 'set', k: 'ResourceClaim', o: own }));
    }
    return { ...pod, spec: { ...(pod.spec ?? { containers: [] }), resourceClaims: [reference] } };
  }

  /** The claims of the pods since the last call. */
  takeNew(): readonly ScriptEvent[] {
    const taken = this.#new;
    this.#new = [];
    return taken;
  }

  /** A pod that gets no node, and by whose explanation the state of every device is seen. */
  end(): readonly ScriptEvent[] {
    const [namespace = ''] = this.#town.namespaces;
    const claim = greedyClaim(namespace);
    const resourceClaims = [{ name: 'devices', resourceClaimName: claim.metadata?.name }];
    const o: Pod = { metadata: metaOf('greedy', namespace), spec: { containers: [{ name: 'c' }], resourceClaims } };
    return [
      { t: 'set', k: 'ResourceClaim', o: claim },
      { t: 'schedule', o, expect: { skipped: true } },
    ];
  }

  #noted<E extends ScriptEvent>(event: E): E {
    if (event.t === 'set' && event.k === 'ResourceClaim') {
      const { namespace, name } = event.o.metadata ?? {};
      this.#claims.set(`${namespace}/${name}`, event.o as ResourceClaim);
    }
    return event;
  }
}
