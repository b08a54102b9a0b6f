/** What pages do beyond links and forms. Everything works without it. */
import { followChanges } from "./live.ts";

followChanges();
