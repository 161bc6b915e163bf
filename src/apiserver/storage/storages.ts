import type { ApiObject } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { ResourceStorage } from './resource-storage.ts';

/** The storage of each served resource over one ledger. */
export class Storages {
  readonly #ledger: Ledger;
  readonly #byResource = new WeakMap<ServedResource, ResourceStorage>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  of(served: ServedResource): ResourceStorage {
    const known = this.#byResource.get(served);
    if (known !== undefined) return known;
    const storage = new ResourceStorage(this.#ledger, served, new WeakMap<object, ApiObject>());
    this.#byResource.set(served, storage);
    return storage;
  }
}
