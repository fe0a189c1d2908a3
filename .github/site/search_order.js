// The order of what a search finds: first the pages whose title begins with the words that were
// typed, then those whose title holds them, and among them the pages about errors. The numbers below
// are Sphinx's own.
var Scorer = {
  score: (item) => {
    const [docName, title, anchor, , score] = item;
    const typed = new URLSearchParams(window.location.search).get("q") ?? "";
    const query = typed.toLowerCase().trim();
    const says = title.toLowerCase();
    const isError = docName.startsWith("errors/") && !anchor ? 20 : 0;
    if (says.startsWith(query)) return score + 200 + isError;
    if (says.includes(query)) return score + 100 + isError;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
