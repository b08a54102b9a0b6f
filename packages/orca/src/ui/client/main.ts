/** What pages do beyond links and forms. Everything works without it. */
import { copyWhatIsNamed } from "./copy.ts";
import { openWhatIsNamed } from "./dialogs.ts";
import { filterLists } from "./filter.ts";
import { listenToKeys, showTimes } from "./keys.ts";
import { followChanges } from "./live.ts";
import { changeThemeInPlace } from "./theme.ts";

changeThemeInPlace();
openWhatIsNamed();
listenToKeys();
copyWhatIsNamed();
filterLists();
followChanges();
document.addEventListener("orca:replaced", showTimes);
