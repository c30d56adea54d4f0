import { useEffect, useState } from "preact/hooks";
import type { SignatureRecordResponse } from "../../../src/schema/record/signatureRecord.ts";
import { solverOf } from "../../data/chains.ts";
import type { RequestDetail } from "../../data/types.ts";
import { usePath } from "../../data/useData.ts";
import { checkOrder, checkRecord, type Verdict } from "../../data/verify.ts";
import { Value } from "../../parts/Calldata.tsx";
import { Await, Section } from "../../parts/layout.tsx";

/** What the solver signed, field by field, verified in the browser by the library. */
export function Signed({ detail }: { detail: RequestDetail }) {
  const { requestId, quoted } = detail.request;
  const signed = usePath<SignatureRecordResponse>(`/requests/${requestId}/signature`);
  const solver = evmSolver(quoted.paid?.chainId, quoted.received?.chainId);
  const v2 = detail.quote.protocol?.v2;
  return (
    <Section title="Signed">
      <div class="columns">
        {v2?.orderData != null && (
          <div>
            <h3>Order</h3>
            <Check verify={() => checkOrder(v2, solver)} subject={v2.orderId ?? ""} />
            <Value value={{ orderId: v2.orderId, ...v2.orderData, signature: v2.orderSignature }} />
          </div>
        )}
        <div>
          <h3>Record</h3>
          <Await loaded={signed}>
            {(answer) => (
              <>
                <Check verify={() => checkRecord(requestId, answer, solver)} subject={requestId} />
                <Value value={{ requestId, ...answer.requestData, signature: answer.signature }} />
              </>
            )}
          </Await>
        </div>
      </div>
    </Section>
  );
}

/** The account that signs: an EVM one, whichever chains the request touches. */
function evmSolver(...chainIds: readonly (number | undefined)[]): string | undefined {
  return chainIds
    .flatMap((id) => (id === undefined ? [] : (solverOf(id) ?? [])))
    .find((address) => /^0x[0-9a-f]{40}$/i.test(address));
}

function Check({ verify, subject }: { verify: () => Promise<Verdict>; subject: string }) {
  const [verdict, setVerdict] = useState<Verdict>();
  useEffect(() => {
    void verify().then(setVerdict);
  }, [subject]);
  if (verdict === undefined) return <p class="muted">Verifying…</p>;
  return (
    <p class={verdict.isValid ? "notice good" : "notice bad"}>
      <b>{verdict.isValid ? "Valid." : "Not valid."}</b> {verdict.text}
    </p>
  );
}
