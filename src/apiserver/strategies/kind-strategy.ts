import type { ApiObject } from '../../kinds/object/json.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** What a strategy may read of its surroundings. */
export interface StrategyContext {
  /** The time of the request, as text. */
  readonly now: string;
  readonly ledger: Ledger;
  readonly isDryRun: boolean;
}

/** How objects of a kind are prepared before they are validated (upstream: rest.RESTCreateStrategy and its kin). */
export interface KindStrategy {
  /** Whether the kind counts the changes of its desired state in `metadata.generation`. */
  readonly hasGeneration: boolean;
  /** Parts of the metadata whose changes count as well. */
  readonly generationReads: readonly ('labels' | 'annotations')[];
  /** Whether a PUT to a name that does not exist creates the object. */
  readonly createsOnUpdate: boolean;
  /** Whether a PUT without resourceVersion is accepted. */
  readonly updatesUnconditionally: boolean;
  /** Whether a DELETE answers with the object instead of a Status. */
  readonly returnsDeleted: boolean;
  /** The members that the main resource never writes once the object exists: they belong to `/status`. */
  readonly hasStatus: boolean;
  /** Whether dependents are orphaned when nobody says what to do with them. */
  readonly orphansByDefault: boolean;
  /** Brings members that say the same into agreement, in an object that a client sent, in place. */
  reconcile?(object: ApiObject): void;
  /** Changes a new object in place, before it is validated. */
  prepareCreate?(object: ApiObject, context: StrategyContext): void;
  /** Changes the next state of an object in place, before it is validated. */
  prepareUpdate?(object: ApiObject, old: ApiObject, context: StrategyContext): void;
  /** Changes the next state by a write to `/status` in place; spec and metadata are as for all kinds already. */
  prepareStatusUpdate?(object: ApiObject, old: ApiObject, context: StrategyContext): void;
}
