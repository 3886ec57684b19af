// A link to the present state, or a file if the link would be too long.

import { ADDRESS_MAX, writeFragment } from "../address.ts";
import { isAddressPartial } from "../history.ts";
import { state } from "../state.ts";
import { announce } from "../ui/announce.tsx";
import { Button, CopyButton } from "../ui/button.tsx";
import { download } from "../ui/download.ts";
import { count } from "../ui/words.ts";

export function Share() {
  return (
    <p class="row share">
      <CopyButton name="link" text={link}>
        Copy a link to this
      </CopyButton>
      {isAddressPartial.value && (
        <Button id="save" kind="plain" icon="download" onClick={save}>
          Save the text as a file
        </Button>
      )}
    </p>
  );
}

async function link() {
  // The address is not used, because it is written a moment after an edit.
  const fragment = await writeFragment(state.value);
  const text = `${location.origin}${location.pathname}#${fragment ?? ""}`;
  if (fragment !== undefined && text.length <= ADDRESS_MAX) return text;
  isAddressPartial.value = true;
  throw new RangeError(
    `this is too long for a link: at most ${count(ADDRESS_MAX)} characters are sent whole. ` +
      "Save the text as a file instead, and open it here again",
  );
}

function save() {
  download("ids.txt", "text/plain", [state.value.text]);
  announce("saved as ids.txt");
}
