import { useState } from "preact/hooks";
import { failReasons } from "../../../src/schema/request/failReason.ts";
import { call } from "../../data/api.ts";
import { link } from "../../data/router.ts";
import { Action, Section } from "../../parts/layout.tsx";
import { words } from "../../parts/text.tsx";

const delayMs = 30_000;

/** Faults of this request alone. */
export function Faults({ id }: { id: string }) {
  const [failReason, setReason] = useState("SLIPPAGE");
  const add = (fault: object) => () =>
    call("/admin/faults", { body: { ...fault, requestId: id }, method: "POST" });
  return (
    <Section title="What should happen" aside={<a href={link(["control"])}>All faults</a>}>
      <p class="muted">Each applies once, to this request, when its time comes.</p>
      <div class="stack">
        <label>
          <span>Fails with</span>
          <select value={failReason} onChange={(event) => setReason(event.currentTarget.value)}>
            {failReasons
              .filter((reason) => reason !== "N/A")
              .map((reason) => (
                <option key={reason} value={reason}>
                  {words(reason)}
                </option>
              ))}
          </select>
        </label>
        <Action run={add({ failReason, kind: "fill-fails" })} done="Its deposit will be refunded.">
          Refund in place of the fill
        </Action>
        <Action run={add({ delayMs, kind: "fill-slow" })} done="Its fill will wait.">
          Delay the fill by 30 s
        </Action>
        <Action run={add({ delayMs, kind: "deposit-ignored" })} done="Its deposit will be overlooked.">
          Overlook the deposit for 30 s
        </Action>
        <Action run={add({ kind: "refund-rejected" })} done="Its refund will be rejected.">
          Reject the refund
        </Action>
        <Action
          run={add({ channel: "webhook", kind: "delivery-dropped" })}
          done="Its next webhook will be lost."
        >
          Lose the next webhook
        </Action>
      </div>
    </Section>
  );
}
