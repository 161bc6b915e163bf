/**
 * What a page of a report holds: plain data, from which `buildPage` makes the text and the tables of the page, and the
 * script of the page its plots. Texts may hold anything: they are escaped, cut when they are huge, and isolated from
 * the direction of the text around them.
 */
export interface ReportPage {
  readonly title: string;
  /** One sentence below the title. */
  readonly about?: string | undefined;
  /** Where the page comes from: command, version, inputs, seed. */
  readonly facts: readonly Fact[];
  /** The few figures that a reader wants first. */
  readonly highlights?: readonly Highlight[] | undefined;
  readonly sections: readonly Section[];
}

export type Fact = readonly [name: string, value: string];

export interface Highlight {
  readonly name: string;
  readonly value: string;
  readonly note?: string | undefined;
  /** A figure that needs attention. */
  readonly isBad?: boolean | undefined;
}

export type Section = TextSection | TableSection | LinesSection | BarsSection | HeatSection | ReasonsSection;

interface SectionHead {
  readonly title: string;
  /** A sentence or two that say what is shown. */
  readonly note?: string | undefined;
  /** Sections of one group have one heading in the table of contents; absent: their own title. */
  readonly group?: string | undefined;
}

/** Paragraphs. */
export interface TextSection extends SectionHead {
  readonly kind: 'text';
  readonly paragraphs: readonly string[];
}

/** How a number is written. */
export type Unit = 'count' | 'share' | 'bytes' | 'seconds' | 'perSecond' | 'micros' | 'cores' | 'number';

export type Cell = string | number | null;

export interface Column {
  readonly title: string;
  /** Absent for texts, which stand on the left; numbers stand on the right. */
  readonly unit?: Unit | undefined;
}

/** A table that can be sorted, and filtered when it is long. */
export interface TableSection extends SectionHead {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Axis {
  readonly name: string;
  readonly unit: Unit;
  /** Absent: linear. */
  readonly scale?: 'linear' | 'log' | undefined;
}

export interface Line {
  readonly name: string;
  /** One value for each x of its run; null where there is none. */
  readonly values: readonly (number | null)[];
  /** Lines with the same number have the same colour; absent: their place among the names. */
  readonly colour?: number | undefined;
  readonly isDashed?: boolean | undefined;
}

/** Lines over the same values of x, which ascend. */
export interface LineRun {
  /** Empty if there is only one run. */
  readonly name: string;
  readonly xs: readonly number[];
  readonly lines: readonly Line[];
}

/** Something that happened, such as a fault. */
export interface Mark {
  readonly x: number;
  readonly text: string;
}

/**
 * Lines over time or another number. Runs are overlaid: the same line of each has one colour, and another dash. With
 * two runs the page also shows their differences.
 */
export interface LinesSection extends SectionHead {
  readonly kind: 'lines';
  readonly x: Axis;
  readonly y: Axis;
  readonly runs: readonly LineRun[];
  /** Whether a value holds until the next one. */
  readonly isStepped?: boolean | undefined;
  /** Whether lines are areas on top of each other; only for one run. */
  readonly isStacked?: boolean | undefined;
  /** Whether each value has a point. */
  readonly hasPoints?: boolean | undefined;
  readonly marks?: readonly Mark[] | undefined;
  /** Plots with the same key zoom and point together. */
  readonly syncKey?: string | undefined;
  /** Whether two plots stand side by side where there is room. */
  readonly isNarrow?: boolean | undefined;
}

/** Horizontal bars: for each category one bar for each series. */
export interface BarsSection extends SectionHead {
  readonly kind: 'bars';
  readonly unit: Unit;
  readonly categories: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  /** The end of the scale; absent: the largest value. */
  readonly most?: number | undefined;
  /** Whether two stand side by side where there is room. */
  readonly isNarrow?: boolean | undefined;
}

/** A resource of nodes. */
export interface HeatMetric {
  readonly name: string;
  readonly unit: Unit;
  /** What each node offers. */
  readonly offered: readonly number[];
}

/** The nodes at one moment. */
export interface HeatFrame {
  readonly name: string;
  /** The moment on the axis of time; null where there is no time. */
  readonly x: number | null;
  /** For each metric, what is used of each node in whole percent of what it offers. */
  readonly percents: readonly (readonly number[])[];
  /** The nodes that were not ready. */
  readonly lost: readonly number[];
}

/** A map of nodes, coloured by use, that zooms. */
export interface HeatSection extends SectionHead {
  readonly kind: 'heat';
  readonly nodes: readonly string[];
  /** The group of each node, such as its zone, as an index in `groups`. */
  readonly groupOfNode: readonly number[];
  readonly groups: readonly string[];
  readonly metrics: readonly HeatMetric[];
  /** The map at one time or at several. */
  readonly frames: readonly HeatFrame[];
}

/** Why nodes reject a pod. */
export interface NodeVerdict {
  readonly plugin: string;
  readonly reason: string;
  readonly count: number;
  readonly examples: readonly string[];
}

/** Pods with the same fate, and what the nodes say about one of them. */
export interface ReasonGroup {
  readonly reason: string;
  readonly count: number;
  /** A sentence about the pods. */
  readonly about?: string | undefined;
  /** Some of the pods. */
  readonly pods: readonly string[];
  readonly explained?: ExplainedGroup | undefined;
}

export interface ExplainedGroup {
  readonly pod: string;
  readonly facts: readonly Fact[];
  readonly verdicts: readonly NodeVerdict[];
  /** For each node of the page's map the index of its verdict, or -1; absent if the page has no map. */
  readonly verdictOfNode?: readonly number[] | undefined;
  readonly remedies?: readonly string[] | undefined;
}

/** Reasons that open: the pods, and which nodes and plugins are in the way. */
export interface ReasonsSection extends SectionHead {
  readonly kind: 'reasons';
  readonly groups: readonly ReasonGroup[];
}
