import type { Resources } from '../../api/resources.ts';
import type { NodeInfo } from '../../framework/node-info.ts';

/** The extended resources that devices back, on nodes that have none of them otherwise. */
export interface DeviceResources {
  /** A number that changes when other resources may be backed. */
  readonly version: number;
  /** Whether devices back the resource on nodes that have none of it otherwise. */
  backs(resource: string): boolean;
  /** Whether the node leaves the resource to its devices, because it has none of it by itself. */
  provide(resource: string, node: NodeInfo): boolean;
  /** The same for a node with these resources. */
  provideWith(resource: string, allocatable: Resources): boolean;
  /** The devices of the node for the resource, and those in use; null if the node does not leave it to devices. */
  count(resource: string, node: NodeInfo): { readonly allocatable: number; readonly requested: number } | null;
}
