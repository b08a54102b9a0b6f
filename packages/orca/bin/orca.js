#!/usr/bin/env node
import { main } from "../dist/orca.js";

await main();
