import { signal } from "@preact/signals";

const storageName = "waybill-admin-key";

/**
 * The admin key, from the fragment of the address that `waybill console` prints, which no server sees. Kept for this tab and
 * origin alone, and removed from the address at once.
 */
export const adminKey = signal(sessionStorage.getItem(storageName) ?? undefined);

/** Takes a key out of the address. Returns whether there was one. */
export function takeKey(): boolean {
  const found = /^#key=([^&]+)(?:&to=(.*))?$/.exec(location.hash);
  if (found === null) return false;
  const [, key = "", to = "/requests"] = found;
  history.replaceState(null, "", `${location.pathname}#${to}`);
  setKey(decodeURIComponent(key));
  return true;
}

export function setKey(key: string | undefined): void {
  adminKey.value = key;
  if (key === undefined) sessionStorage.removeItem(storageName);
  else sessionStorage.setItem(storageName, key);
}
