import type { AffinityForm, SpreadForm, TopologyForm } from '../../framework/column-forms.ts';

/** A plugin whose filter and score are computed by a plan. */
export interface PlannedPlugin<Form extends TopologyForm> {
  readonly name: string;
  readonly form: Form;
  /** The plugin's position among the framework's filters; -1 if it does not filter. */
  readonly position: number;
}

/** The plugins of a profile with a topology form; undefined if the profile has none. */
export interface PlannedPlugins {
  readonly spread: PlannedPlugin<SpreadForm> | undefined;
  readonly affinity: PlannedPlugin<AffinityForm> | undefined;
}
