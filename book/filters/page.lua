-- Second pass over a page: how things look. The first pass (tools/expand.py)
-- has put in everything that comes from files and runs and has checked every
-- name, so nothing here can fail.
--
-- `pagedata` (metadata) names a Lua file with: lang, path, lines (heading id ->
-- line), calls (name -> address), terms (words -> address), words (the
-- language's own words for boxes).

local data = { path = "", lines = {}, calls = {}, terms = {}, words = {} }

local function word(key, default)
  return data.words[key] or default
end

local function escape(text)
  return (text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;")
    :gsub('"', "&quot;"))
end

local function html(text)
  return pandoc.RawBlock("html", text)
end

local function inline_html(text)
  return pandoc.RawInline("html", text)
end

local function read_data(meta)
  local name = meta.pagedata and pandoc.utils.stringify(meta.pagedata)
  if name then
    data = dofile(name)
  end
end

-- Code ---------------------------------------------------------------------

-- Add what the C definition does not know: calls, types, constants. Only text
-- between tags is touched, and not inside comments and strings.
local function colour_c(line)
  local done, depth = {}, 0
  for text, tag in (line .. "<>"):gmatch("([^<]*)(<[^>]*>)") do
    if depth == 0 then
      text = text:gsub("()([%a_][%w_]*)()", function(from, name, to)
        if text:sub(from - 1, from - 1) == "&" and text:sub(to, to) == ";" then
          return name
        elseif text:sub(to, to) == "(" then
          return '<span class="fu">' .. name .. "</span>"
        elseif name:match("^%u[%u%d_]+$") and name ~= "NULL" then
          return '<span class="cn">' .. name .. "</span>"
        elseif name:match("^%u[%a%d]*%l[%a%d]*$") or name:match("_t$") then
          return '<span class="dt">' .. name .. "</span>"
        end
      end)
    end
    done[#done + 1] = text
    if tag ~= "<>" then
      done[#done + 1] = tag
      depth = depth + (tag:sub(2, 2) == "/" and -1 or 1)
    end
  end
  return table.concat(done)
end

-- The lines of a code block, highlighted by pandoc, without its scaffolding.
local function highlighted(block)
  local bare = pandoc.CodeBlock(block.text, pandoc.Attr("x", block.classes))
  local page = pandoc.write(pandoc.Pandoc({ bare }), "html")
  local body = page:match("<code[^>]*>(.*)</code>") or escape(block.text)
  local lines = {}
  for line in (body .. "\n"):gmatch("(.-)\n") do
    line = line:gsub('^<span id="x%-%d+"><a [^>]*></a>', "")
    if line ~= "" or body:find("<span id=", 1, true) == nil then
      line = line:gsub("</span>$", "", body:find('<span id="x-', 1, true)
        and 1 or 0)
    end
    line = line:gsub('<span class="op">(.-)</span>', "%1")
      :gsub('<span class="bu">(.-)</span>', "%1")
      :gsub("&quot;", '"'):gsub("&#39;", "'")
    if block.classes[1] == "c" and not block.classes:includes("plain") then
      line = colour_c(line)
    end
    lines[#lines + 1] = line
  end
  return lines
end

local function set_of(list)
  local set = {}
  for item in (list or ""):gmatch("[^,]+") do
    set[item] = true
  end
  return set
end

-- Line numbers are a counter of the stylesheet: a line that does not follow
-- the one before it says how far it is.
local function numbered(block)
  local marks, lines = set_of(block.attributes.marks), highlighted(block)
  local out, last, i = {}, nil, 0
  for number in block.attributes.lines:gmatch("[^,]+") do
    i = i + 1
    local step = last and tonumber(number) - last or 1
    if not last then
      out[1] = string.format('<pre class="code"><code class="%s numbered"'
        .. ' style="counter-reset:l %d">', block.classes[1] or "text",
        tonumber(number) - 1)
    end
    last = tonumber(number)
    out[#out + 1] = string.format("<span%s%s>%s\n</span>",
      marks[number] and ' class="hl"' or "",
      step ~= 1 and string.format(' style="counter-increment:l %d"', step)
      or "", lines[i] or "")
  end
  out[#out + 1] = "</code></pre>"
  return html(table.concat(out))
end

local LABELS = { python = "Python", bash = "Shell", c = "C", text = "",
  cmake = "CMake", json = "JSON" }

local function code_block(block, label)
  if block.attributes.lines then
    return numbered(block)
  end
  local language = block.classes[1] or "text"
  label = label or LABELS[language] or language
  local out = { '<figure class="listing plain">' }
  if label ~= "" then
    out[#out + 1] = "<figcaption>" .. label .. "</figcaption>"
  end
  out[#out + 1] = '<pre class="code"><code class="' .. language .. '">'
  for _, line in ipairs(highlighted(block)) do
    out[#out + 1] = "<span>" .. line .. "\n</span>"
  end
  out[#out + 1] = "</code></pre></figure>"
  return html(table.concat(out))
end

-- Boxes --------------------------------------------------------------------

local BOXES = { goals = "What you will be able to do", predict = "Predict",
  pytorch = "PyTorch", cost = "What it costs",
  today = "PyTorch today", trap = "Often said, and wrong:", recap = "In short",
  note = "Note" }

-- The PyTorch lines and the C lines after them, in two columns when both are
-- narrow enough to stand beside each other.
local function pairs_of(blocks)
  local out, group, widest = {}, {}, 0
  local function flush()
    if #group == 0 then return end
    local class = widest <= 46 and "pair side" or "pair"
    out[#out + 1] = html('<div class="' .. class .. '"><div>')
    out[#out + 1] = code_block(group[1], "PyTorch")
    out[#out + 1] = html("</div><div>")
    for i = 2, #group do out[#out + 1] = group[i] end
    out[#out + 1] = html("</div></div>")
    group, widest = {}, 0
  end
  local folded = 0
  for _, block in ipairs(blocks) do
    local is_code = block.t == "CodeBlock"
    if is_code and block.classes[1] == "python" then
      flush()
      group = { block }
    elseif #group > 0 and (is_code or block.t == "RawBlock") then
      group[#group + 1] = block
    else
      flush()
      out[#out + 1] = block
    end
    if block.t == "RawBlock" and block.text:find("<details", 1, true) then
      folded = folded + 1
    end
    if is_code and folded == 0 then
      for line in block.text:gmatch("[^\n]+") do
        widest = math.max(widest, utf8.len(line) or #line)
      end
    end
    if block.t == "RawBlock" and block.text:find("</details", 1, true) then
      folded = folded - 1
    end
  end
  flush()
  return out
end

local function box(div)
  local kind = div.classes[1]
  if kind == "answer" then
    local summary = "<summary>" .. word("answer", "Answer")
    if div.classes:includes("shows") then -- its name, once it is open for good
      summary = '<summary data-title="' .. escape(word("shown",
        "What it prints")) .. '">' .. word("show", "Show what it prints")
    end
    local out = { html('<details class="answer">' .. summary
      .. "</summary>") }
    for _, block in ipairs(div.content) do out[#out + 1] = block end
    out[#out + 1] = html("</details>")
    return out
  end
  local label = kind and BOXES[kind]
  if not label then
    return nil
  end
  label = word(kind, label)
  local blocks = kind == "pytorch" and pairs_of(div.content) or div.content
  if kind == "pytorch" and not div.attributes.title then
    blocks[1] = blocks[1] or html("")
    table.insert(blocks, 1, html('<div class="box pytorch">'))
    blocks[#blocks + 1] = html("</div>")
    return blocks
  end
  local head = '<span class="label">' .. escape(label) .. "</span>"
  local title = { inline_html(head) }
  if div.attributes.title then
    title[#title + 1] = pandoc.Space()
    local said = kind == "trap" -- a belief, in the words of those who hold it
    if said then title[#title + 1] = pandoc.Str("“") end
    for _, inline in ipairs(pandoc.read(div.attributes.title,
      "markdown").blocks[1].content) do
      title[#title + 1] = inline
    end
    if said then title[#title + 1] = pandoc.Str("”") end
  end
  local open = '<div class="box ' .. kind .. '">'
  if div.identifier ~= "" then
    open = open:gsub(">$", ' id="' .. div.identifier .. '">')
  end
  local out = { html(open), pandoc.Div({ pandoc.Plain(title) },
    pandoc.Attr("", { "box-title" })) }
  for _, block in ipairs(blocks) do out[#out + 1] = block end
  out[#out + 1] = html("</div>")
  return out
end

-- A line that ends or begins with Chinese punctuation is joined to the next
-- without a space (pandoc itself joins two lines of Chinese).
local STOPS = {}
for stop in ("，。；：！？、（）《》「」"):gmatch(utf8.charpattern) do
  STOPS[stop] = true
end

local function joined(inlines)
  local out = pandoc.List()
  for i, inline in ipairs(inlines) do
    local before, after = inlines[i - 1], inlines[i + 1]
    local stops = inline.t == "SoftBreak" and (
      before and before.t == "Str" and STOPS[before.text:match(
        "[%z\1-\127\194-\244][\128-\191]*$")]
      or after and after.t == "Str" and STOPS[after.text:match(
        "^[%z\1-\127\194-\244][\128-\191]*")])
    if not stops then
      out:insert(inline)
    end
  end
  return out
end

-- Words --------------------------------------------------------------------

-- Code is English whatever the page is in: a screen reader says it so, and a
-- checker does not take a page full of it for an English one.
local function code_tag()
  return data.lang == "en" and "<code>" or '<code lang="en">'
end

local function code(inline)
  local name = inline.text:match("^([%a_][%w_]*)%(?[^%s]*%)?$")
  local address = name and data.calls[name]
  if address and not inline.classes:includes("foreign") then
    return inline_html('<a class="call" href="' .. address .. '">'
      .. code_tag() .. escape(inline.text) .. "</code></a>")
  end
  return inline_html(code_tag() .. escape(inline.text) .. "</code>")
end

-- Chinese has no italics; a title in Latin letters keeps them.
local function emph(inline)
  local text = pandoc.utils.stringify(inline)
  if data.lang == "zh" and not text:find("[\228-\233]") then
    local out = { inline_html('<em lang="en">') }
    for _, part in ipairs(inline.content) do out[#out + 1] = part end
    out[#out + 1] = inline_html("</em>")
    return out
  end
end

local function span(inline)
  local text = inline.attributes.of or pandoc.utils.stringify(inline)
  if inline.classes:includes("call") then
    return inline_html('<a class="call" href="' .. (data.calls[text] or "")
      .. '">' .. code_tag() .. escape(pandoc.utils.stringify(inline))
      .. "</code></a>")
  elseif inline.classes:includes("term") then
    local key = pandoc.text.lower(text)
    local address = data.terms[key] or data.terms[key:gsub("s$", "")] or ""
    return pandoc.Link(inline.content, address, "", pandoc.Attr("", { "term" }))
  elseif inline.classes:includes("test") then
    return inline_html('<code class="test">' .. escape(text) .. "</code>")
  end
end

local function link(inline)
  inline.target = inline.target:gsub("^([%w_/.-]*)%.md", "%1.html")
  return inline
end

local function header(block)
  if block.level == 1 then
    return {} -- the template shows the title
  elseif block.identifier == "" then
    return nil
  end
  local text = escape(pandoc.utils.stringify(block))
  local line = data.lines[block.identifier]
  block.content:insert(inline_html(string.format(
    ' <a class="anchor" href="#%s" aria-label="%s%s%s">#</a>',
    block.identifier, word("link", "Link to this section"),
    word("colon", ": "), text)))
  if line then
    block.content:insert(inline_html(string.format(
      '<span class="edit" aria-hidden="true">%s:%d</span>', escape(data.path), line)))
  end
  return block
end

-- A table scrolls in a box of its own; its columns are as wide as what is in
-- them, however long its lines are in the Markdown.
local function scrolled(tab)
  for i, column in ipairs(tab.colspecs) do
    tab.colspecs[i] = { column[1], nil }
  end
  return { html('<div class="table">'), tab, html("</div>") }
end

return {
  { Meta = read_data },
  { Div = box },
  { CodeBlock = function(block) return code_block(block) end,
 Code = code, Span = span, Link = link, Inlines = joined, Emph = emph,
    Header = header, Table = scrolled },
}
