import type { Resources } from '../../api/resources.ts';
import type { CountedResources } from '../../framework/column-forms.ts';
import type { NodeInfo } from '../../framework/node-info.ts';

/** The extended resources that devices back, on nodes that have none of them otherwise. */
export interface DeviceResources extends CountedResources {
  /** Whether the node leaves the resource to its devices, because it has none of it by itself. */
  provide(resource: string, node: NodeInfo): boolean;
  /** The same for a node with these resources. */
  provideWith(resource: string, allocatable: Resources): boolean;
  /**
   * The devices of the node for the resource, and those in use; null if the node does not leave it to devices.
   * `countOn` is the same from what is kept.
   */
  count(resource: string, node: NodeInfo): { readonly allocatable: number; readonly requested: number } | null;
}
