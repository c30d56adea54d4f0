/** What the Node that runs the scripts has, and the oldest supported one, whose types are installed, has not. */
interface ImportMeta {
  /** Whether the module is the program's entry. */
  readonly main: boolean;
}
