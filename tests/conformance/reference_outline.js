// Reads a JSON array of texts, writes a JSON array of outlines: [depth, kind, detail, start, end].
"use strict";

const { readFileSync } = require("fs");
const { Parser } = require(process.argv[2]);

const kinds = {
    block_quote: "block_quote",
    list: "list",
    item: "list_item",
    heading: "heading",
    paragraph: "paragraph",
    html_block: "html",
    thematic_break: "thematic_break",
};

function outline(text) {
    const parser = new Parser();
    // Block structure does not depend on inlines, which are the slow part.
    parser.processInlines = () => {};
    const entries = [];
    const walker = parser.parse(text).walker();
    let depth = 0;
    for (let event = walker.next(); event; event = walker.next()) {
        const node = event.node;
        const holdsBlocks = ["block_quote", "list", "item"].includes(node.type);
        if (!event.entering) {
            depth -= holdsBlocks ? 1 : 0;
            continue;
        }
        if (node.type === "document") {
            continue;
        }
        let kind = kinds[node.type];
        if (node.type === "code_block") {
            kind = node._isFenced ? "fenced_code" : "indented_code";
        }
        let detail = 0;
        if (kind === "heading") {
            detail = node.level;
        } else if (kind === "list") {
            detail = node.listType === "ordered" ? 1 : 0;
        }
        entries.push([depth, kind, detail, node.sourcepos[0][0] - 1, node.sourcepos[1][0]]);
        depth += holdsBlocks ? 1 : 0;
    }
    return entries;
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(outline)));
