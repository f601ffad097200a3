// What a script adds to a page that is complete without it: the theme button,
// copying, arrow keys, the mark in the contents, folds that open for a link,
// and search over search-index.js, which is loaded when it is first wanted.
(function () {
  "use strict";
  var root = document.documentElement;
  var words = window.bookWords;
  var find = function (what) { return document.querySelector(what); };
  var all = function (what) {
    return Array.prototype.slice.call(document.querySelectorAll(what));
  };

  // Light or dark, remembered.
  var button = find(".theme");
  button.hidden = false;
  button.addEventListener("click", function () {
    var dark = root.dataset.theme ? root.dataset.theme === "dark" :
      matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch (e) { }
  });

  // Copy the code, and nothing but the code.
  function copy(text) {
    if (navigator.clipboard && window.isSecureContext) {
      return navigator.clipboard.writeText(text);
    }
    var area = document.createElement("textarea");
    area.value = text;
    document.body.appendChild(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    return Promise.resolve();
  }
  all(".listing").forEach(function (listing) {
    var code = listing.querySelector("pre.code code");
    var press = document.createElement("button");
    press.type = "button";
    press.className = "copy";
    press.textContent = words.copy;
    press.addEventListener("click", function () {
      copy(code.textContent).then(function () {
        press.textContent = words.copied;
        setTimeout(function () { press.textContent = words.copy; }, 1500);
      });
    });
    listing.appendChild(press);
  });

  // On a phone a long path is broken behind a slash, not within a name.
  all("code.path, code.command").forEach(function (code) {
    code.innerHTML = code.innerHTML.replace(/\//g, "/<wbr>");
  });

  // What scrolls sideways can be reached with the keyboard.
  function reach() {
    all("pre, .table, .canvas").forEach(function (box) {
      if (box.scrollWidth > box.clientWidth + 1) { box.tabIndex = 0; }
    });
  }
  addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true);
  reach();

  // The outputs that answer a prediction: folded, or all of them open for
  // those who read and do not guess. Remembered, unlike any single fold.
  var answers = all("details.answer"), shower = find(".outputs");
  function showAll(open) {
    shower.setAttribute("aria-pressed", String(open));
    answers.forEach(function (fold) { fold.open = open; });
  }
  if (shower && answers.length) {
    shower.hidden = false;
    try {
      if (localStorage.getItem("outputs") === "shown") { showAll(true); }
    } catch (e) { }
    shower.addEventListener("click", function () {
      var open = shower.getAttribute("aria-pressed") !== "true";
      showAll(open);
      try {
        localStorage.setItem("outputs", open ? "shown" : "folded");
      } catch (e) { }
    });
  }

  // A link into a fold opens the fold.
  function unfold() {
    var target = location.hash.length > 1 &&
      document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") { at.open = true; }
    }
  }
  addEventListener("hashchange", unfold);
  unfold();
  var printed = [];
  addEventListener("beforeprint", function () {
    printed = all("details:not([open])");
    printed.forEach(function (fold) { fold.open = true; });
  });
  addEventListener("afterprint", function () {
    printed.forEach(function (fold) { fold.open = false; });
  });

  // Where on the page one is.
  var marks = all(".toc a").map(function (link) {
    return { link: link,
      head: document.getElementById(link.hash.slice(1)) };
  }).filter(function (mark) { return mark.head; });
  function place() {
    var here = null;
    marks.forEach(function (mark) {
      if (mark.head.getBoundingClientRect().top < 120) { here = mark; }
    });
    marks.forEach(function (mark) {
      mark.link.classList.toggle("here", mark === here);
    });
  }
  if (marks.length) {
    addEventListener("scroll", place, { passive: true });
    place();
  }

  // The same section in the other language.
  var other = find(".language");
  if (other) {
    other.addEventListener("click", function () {
      var here = location.hash;
      marks.forEach(function (mark) {
        if (mark.head.getBoundingClientRect().top < 120) {
          here = mark.link.hash;
        }
      });
      other.hash = scrollY < 40 ? "" : here;
    });
  }

  // Search. The book on one page has none: the browser's own finds all.
  var form = find(".search");
  if (!form) { return; }
  var input = form.querySelector("input");
  var hits = form.querySelector(".hits"), list = hits.querySelector("ol");
  var count = hits.querySelector(".count");
  form.hidden = false;
  function load(then) {
    if (window.bookIndex) { then(); return; }
    var script = document.createElement("script");
    script.src = "search-index.js";
    script.onload = then;
    document.head.appendChild(script);
  }
  // tensorTo, tensor_to and "tensor to" are one query; parts match starts.
  function folded(text) {
    return text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/_/g, " ")
      .toLowerCase();
  }
  var CHINESE = /[\u3400-\u9fff]/;
  // Chinese has no spaces: a query of more than two characters is found as it
  // stands, or by its pairs of neighbours, when most of them are there.
  function score(text, part) {
    if (part.length < 3 || !CHINESE.test(part)) { return plain(text, part); }
    if (text.indexOf(part) >= 0) { return 3; }
    var hits = 0;
    for (var i = 0; i + 1 < part.length; i++) {
      hits += text.indexOf(part.slice(i, i + 2)) >= 0 ? 1 : 0;
    }
    return hits * 3 >= (part.length - 1) * 2 ? 1 : 0;
  }
  function plain(text, part) {
    var at = text.indexOf(part), best = 0;
    while (at >= 0) {
      var start = at === 0 || !/[a-z0-9]/.test(text[at - 1]);
      best = Math.max(best, start ? 3 : 1);
      if (best === 3) { break; }
      at = text.indexOf(part, at + 1);
    }
    return best;
  }
  function prepare(index) {
    index.entries.forEach(function (entry) {
      entry.title = folded(index.titles[entry[0]]);
      entry.head = folded(entry[2]);
      entry.body = folded(entry[3]);
      entry.tight = (entry[2] + " " + entry[3]).replace(/[_\s]/g, "")
        .toLowerCase();
    });
    index.ready = true;
  }
  // A term of the glossary finds what the other language calls it, too, and
  // its own entry before all else.
  function search(query) {
    var index = window.bookIndex;
    if (!index.ready) { prepare(index); }
    var best = {}, asked = query.trim().toLowerCase();
    var terms = index.terms.filter(function (pair) {
      return pair[0] === asked || pair[1] === asked;
    });
    function defined(entry) {
      return entry[1].indexOf("term-") === 0 && terms.some(function (pair) {
        return entry.head.indexOf(pair[0] + " " + pair[1]) === 0 ||
          entry.head.indexOf(pair[1] + " " + pair[0]) === 0;
      });
    }
    [query].concat(terms.map(function (pair) {
      return pair[0] === asked ? pair[1] : pair[0];
    })).forEach(function (words) {
      matches(index, words).forEach(function (hit) {
        var key = hit.entry[0] + "#" + hit.entry[1] + "#" + hit.entry[2];
        hit.words = words;
        hit.sum += defined(hit.entry) ? 200 : 0;
        if (!best[key] || best[key].sum < hit.sum) { best[key] = hit; }
      });
    });
    return Object.keys(best).map(function (key) { return best[key]; })
      .sort(function (a, b) { return b.sum - a.sum; });
  }
  function matches(index, query) {
    var phrase = folded(query).trim();
    var parts = phrase.replace(/([\u3400-\u9fff])(?=[a-z0-9])|([a-z0-9])(?=[\u3400-\u9fff])/g,
      "$1$2 ").split(/\s+/).filter(Boolean);
    var tight = query.replace(/[_\s]/g, "").toLowerCase();
    return index.entries.map(function (entry) {
      var sum = 0;
      for (var i = 0; i < parts.length; i++) {
        var got = 6 * score(entry.head, parts[i]) +
          2 * score(entry.title, parts[i]) + score(entry.body, parts[i]);
        if (!got) { sum = 0; break; }
        sum += got;
      }
      if (sum) {
        sum += (entry.head === phrase ? 100 : 0) +
          4 * score(entry.head, phrase) + 2 * score(entry.body, phrase);
      }
      if (!sum && tight.length > 3 && entry.tight.indexOf(tight) >= 0) {
        sum = 1;
      }
      return { entry: entry, sum: sum };
    }).filter(function (hit) { return hit.sum; });
  }
  function piece(entry, query) {
    var text = entry[3], low = text.toLowerCase();
    var part = query.trim().toLowerCase();
    var at = low.indexOf(part);
    if (at < 0) { part = part.split(/[\s_]+/)[0]; at = low.indexOf(part); }
    var box = document.createElement("span");
    box.className = "piece";
    var from = Math.max(0, at - 50);
    box.append((from ? "…" : "") + text.slice(from, at < 0 ? 110 : at));
    if (at >= 0) {
      var mark = document.createElement("mark");
      mark.textContent = text.slice(at, at + part.length);
      box.append(mark, text.slice(at + part.length, at + 90) + "…");
    }
    return box;
  }
  function show() {
    var query = input.value.trim();
    hits.hidden = !query;
    list.textContent = "";
    if (!query) { return; }
    var found = search(query), titles = window.bookIndex.titles;
    count.textContent = found.length ? found.length + " " + words.hits :
      words.none;
    found.slice(0, 30).forEach(function (hit) {
      var entry = hit.entry, item = document.createElement("li");
      var link = document.createElement("a");
      var where = document.createElement("span");
      link.href = entry[0] + ".html?find=" + encodeURIComponent(hit.words) +
        (entry[1] ? "#" + entry[1] : "");
      link.append(entry[2] || entry[1] || titles[entry[0]]);
      where.className = "where";
      where.textContent = titles[entry[0]];
      link.append(where, piece(entry, hit.words));
      item.append(link);
      list.append(item);
    });
  }
  // A hit's words stand in its section; in a fold of it, when the rest does
  // not have them. Hints stay closed.
  function section() {
    var start = document.getElementById(
      decodeURIComponent(location.hash.slice(1))) || find("article header");
    var parts = [start], stop = /^H2$/;
    if (/^H3$/.test(start.tagName)) { stop = /^H[23]$/; }
    while (!/^SECTION$/.test(start.tagName) &&
      (start = start.nextElementSibling) && !stop.test(start.tagName)) {
      parts.push(start);
    }
    return parts;
  }
  function reveal(query) {
    var asked = folded(query).split(/\s+/).filter(Boolean), plain = "";
    function has(text) {
      return asked.every(function (part) { return score(text, part) > 0; });
    }
    var folds = [];
    section().forEach(function (part) {
      var bare = part.cloneNode(true);
      bare.querySelectorAll("details").forEach(function (fold) {
        fold.remove();
      });
      plain += part.tagName === "DETAILS" ? "" : " " + bare.textContent;
      folds = folds.concat(part.matches("details") ? part : [],
        Array.prototype.slice.call(part.querySelectorAll("details")));
    });
    if (has(folded(plain))) { return; }
    folds.forEach(function (fold) {
      if (!fold.matches(".hint") && has(folded(fold.textContent))) {
        fold.open = true;
      }
    });
  }
  var sought = /[?&]find=([^&]*)/.exec(location.search);
  if (sought) { reveal(decodeURIComponent(sought[1])); }

  function close() {
    hits.hidden = true;
    input.value = "";
    input.blur();
  }
  input.addEventListener("input", function () { load(show); });
  input.addEventListener("focus", function () { load(function () { }); });
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    var first = list.querySelector("a");
    if (first) { location.href = first.href; close(); }
  });
  list.addEventListener("click", close);
  form.addEventListener("keydown", function (event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") { return; }
    var stops = [input].concat(Array.prototype.slice.call(
      list.querySelectorAll("a")));
    var at = stops.indexOf(document.activeElement) +
      (event.key === "ArrowDown" ? 1 : -1);
    if (stops[at]) { event.preventDefault(); stops[at].focus(); }
  });
  document.addEventListener("click", function (event) {
    if (!form.contains(event.target)) { hits.hidden = true; }
  });

  // Keys: / searches, Esc closes, the arrows turn pages.
  addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    var at = document.activeElement;
    var typing = at && /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName);
    if (event.key === "Escape") {
      if (location.hash === "#sidebar") { location.hash = "#text"; }
      close();
    } else if (event.key === "/" && !typing) {
      event.preventDefault();
      input.focus();
    } else if (!typing && !event.shiftKey && !(at && at.tabIndex === 0 &&
      at.scrollWidth > at.clientWidth + 1 && at !== document.body)) {
      var step = event.key === "ArrowLeft" ? "prev" :
        event.key === "ArrowRight" ? "next" : "";
      var link = step && find('link[rel="' + step + '"]');
      if (link) { location.href = link.href; }
    }
  });
})();
