/** What pages do beyond links and forms. Everything works without it. */
import { countChecks, showAllChecks } from "./checks.ts";
import { confirmInPlace } from "./confirm.ts";
import { copyWhatIsNamed } from "./copy.ts";
import { openWhatIsNamed } from "./dialogs.ts";
import { openAttemptsBeside } from "./drawer.ts";
import { filterLists } from "./filter.ts";
import { moveInGrids, showGrids } from "./grid.ts";
import { listenToKeys, showTimes } from "./keys.ts";
import { followChanges } from "./live.ts";
import { searchAsOneTypes } from "./palette.ts";
import { noticePresses } from "./pressed.ts";
import { scrubAlongAxes, showLines } from "./scrub.ts";
import { selectInGrids } from "./selection.ts";
import { changeThemeInPlace } from "./theme.ts";

changeThemeInPlace();
openWhatIsNamed();
listenToKeys();
searchAsOneTypes();
copyWhatIsNamed();
filterLists();
selectInGrids();
moveInGrids();
scrubAlongAxes();
confirmInPlace();
countChecks();
openAttemptsBeside();
noticePresses();
followChanges();
document.addEventListener("orca:replaced", () => {
  showTimes();
  showGrids();
  showLines();
  showAllChecks();
});
