import { useState } from "preact/hooks";
import { setKey } from "../data/session.ts";

/** Asks for the admin key, where the address brought none. */
export function KeyForm() {
  const [text, setText] = useState("");
  return (
    <section class="card key-form" aria-labelledby="key-title">
      <h1 id="key-title" tabIndex={-1}>
        Admin key
      </h1>
      <p>
        This view needs the emulator's admin key. <code>waybill console</code> prints an address that brings
        it along. The file of <code>waybill emulator --out</code> has it as <code>adminKey</code>.
      </p>
      <form
        class="line form"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") setKey(text.trim());
        }}
      >
        <label class="wide">
          <span>Admin key</span>
          <input
            type="password"
            autocomplete="off"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Open the console</button>
      </form>
      <p class="muted">It stays in this tab, and is sent to this address alone.</p>
    </section>
  );
}
