import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

type Properties<Item extends object> = {
  readonly items: readonly Item[];
  /** Height of each row in pixels: all are the same, so that any number of rows costs as much as those in sight. */
  readonly rowHeight: number;
  readonly keyOf: (item: Item) => string;
  readonly label: string;
  /** Number of all rows, loaded or not. */
  readonly total: number;
  /** Draws an item. The same item is drawn once. */
  readonly render: (item: Item) => ComponentChildren;
  /** Called when the last loaded rows come into sight. */
  readonly onEnd: () => void;
  /** Called when the list is scrolled to its top, and away from it. */
  readonly onTop: (isTop: boolean) => void;
  readonly list: RefObject<HTMLUListElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

/** Rows above and below those in sight. */
const spare = 8;

/** A list of any length, of which the rows in sight are in the document. */
export function Windowed<Item extends object>(properties: Properties<Item>) {
  const { items, keyOf, label, list, onEnd, onKeyDown, onTop, render, rowHeight, total } = properties;
  const frame = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ first: 0, count: 30 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - spare);
      const count = Math.ceil(element.clientHeight / rowHeight) + 2 * spare;
      onTop(element.scrollTop < rowHeight);
      setSight((last) => (last.first === first && last.count === count ? last : { count, first }));
    };
    measure();
    element.addEventListener("scroll", measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", measure);
      observer.disconnect();
    };
  }, [rowHeight, onTop]);
  // A row that did not change is not compared again.
  const drawn = useRef(new WeakMap<Item, ComponentChildren>());
  const draw = (item: Item) => {
    const content = drawn.current.get(item) ?? render(item);
    drawn.current.set(item, content);
    return content;
  };
  const end = sight.first + sight.count;
  const isAtEnd = end >= items.length;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, items.length]);
  return (
    <div class="window" ref={frame}>
      <ul
        ref={list}
        aria-label={label}
        style={{ height: `${items.length * rowHeight}px` }}
        onKeyDown={onKeyDown}
      >
        {items.slice(sight.first, end).map((item, offset) => {
          const place = sight.first + offset;
          return (
            <li
              key={keyOf(item)}
              aria-posinset={place + 1}
              aria-setsize={total}
              data-place={place}
              style={{ height: `${rowHeight}px`, transform: `translateY(${place * rowHeight}px)` }}
            >
              {draw(item)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
