#!/usr/bin/env bash
# report.html of a run of 1,000 shapes in headless Chromium: it opens in time without an error and
# without asking for anything, sorts, and fits a phone; planted faults are seen.
#     tests/html_browser.sh PROGRAM [PICTURES]    PROGRAM is test_html; screenshots go to PICTURES
# MOST_MS in the environment: milliseconds it may take to open; without it they are printed only.
# It needs Chromium: ci/install --tests. Ubuntu has it in no package; there it ends with 77 without.
# Covers: reports/page reports/sections reports/report
set -euo pipefail
program=$1
pictures=${2-}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    ! grep -qs '^ID=ubuntu$' /etc/os-release || exit 77
    echo 'there is no Chromium: ci/install --tests' >&2
    exit 1
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# browse PAGE [OPTION...]: as root there is no sandbox to be had.
browse() {
    local page=$1
    shift
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --disable-dev-shm-usage --user-data-dir="$scratch/profile" "$@" "file://$page" 2>>"$scratch/browser"
}

if ! "$program" "$scratch" >"$scratch/out"; then
    fail "the page was not made: $(cat "$scratch/out")"
fi
page=$scratch/run/report/report.html
if command -v xmllint >/dev/null; then
    xmllint --noout "$page" || fail "not well-formed"
fi
size=$(stat -c %s "$page")
[ "$size" -lt 5000000 ] || fail "$size bytes are more than 5 MB"

# What runs in a copy of the page; its first part stands before anything of the page.
cat >"$scratch/first" <<'END'
<script>
var faults = [];
addEventListener('error', function (e) { faults.push(e.message || 'not loaded: ' + e.target.src); }, true);
addEventListener('securitypolicyviolation', function (e) { faults.push('asks for ' + e.blockedURI); });
console.error = console.warn = function (text) { faults.push(text); };
</script>
END
cat >"$scratch/last" <<'END'
<script>
addEventListener('load', function () {
  function column(table, i) {
    return Array.from(table.tBodies[0].rows, function (row) { return row.cells[i].textContent; });
  }
  function named(words) {
    return Array.from(document.querySelectorAll('table')).find(function (table) {
      return table.caption.textContent.includes(words);
    });
  }
  function click(table, i) { table.tHead.rows[0].cells[i].querySelector('button').click(); }
  function check(name, holds) { if (!holds) faults.push(name); }
  function ordered(texts, before) {
    return texts.every(function (text, i) { return i === 0 || before(texts[i - 1], text); });
  }
  try {
    var shapes = named(', offline'), heads = Array.from(shapes.tHead.rows[0].cells, function (th) {
      return th.textContent;
    });
    check('shapes ' + shapes.tBodies[0].rows.length, shapes.tBodies[0].rows.length > 800);
    var ratio = heads.indexOf('ratio, device');
    check('mixed at first', !ordered(column(shapes, ratio), function (a, b) {
      return parseFloat(a) <= parseFloat(b);
    }));
    click(shapes, ratio);
    check('numbers ascend', ordered(column(shapes, ratio), function (a, b) {
      return parseFloat(a) <= parseFloat(b);
    }));
    check('told to readers', shapes.tHead.rows[0].cells[ratio].getAttribute('aria-sort') === 'ascending');
    click(shapes, ratio);
    check('numbers descend', ordered(column(shapes, ratio), function (a, b) {
      return parseFloat(a) >= parseFloat(b);
    }));
    click(shapes, 0);
    check('the mark moves', !shapes.tHead.rows[0].cells[ratio].hasAttribute('aria-sort'));
    check('shapes by size', ordered(column(shapes, 0), function (a, b) {
      a = a.split('x').map(Number);
      b = b.split('x').map(Number);
      return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] ? (a[0] - b[0] || a[1] - b[1] || a[2] - b[2]) < 0 : true;
    }));
    var input = shapes.parentNode.previousElementSibling.querySelector('input');
    input.value = '4096x slower';
    input.dispatchEvent(new Event('input'));
    var shown = Array.from(shapes.tBodies[0].rows).filter(function (row) { return !row.hidden; });
    check('filtered ' + shown.length, shown.length > 0 && shown.length < shapes.tBodies[0].rows.length &&
      shown.every(function (row) { return /4096x/.test(row.textContent) && /slower/.test(row.textContent); }));
    check('the answer comes first', document.querySelector('h2').id === 'verdict');
    var table1 = named('Table 1, by lens');
    click(table1, 0);
    check('names ascend', ordered(column(table1, 0), function (a, b) { return a.localeCompare(b) <= 0; }));
    var figures = Array.from(document.querySelectorAll('figure img'));
    check('figures ' + figures.length, figures.length === 6);
    check('a picture is not drawn', figures.every(function (figure) { return figure.naturalHeight > 100; }));
    check('nothing is fetched', performance.getEntriesByType('resource').every(function (entry) {
      return entry.name.startsWith('data:');
    }));
    check('wider than its window: ' + document.documentElement.scrollWidth,
          document.documentElement.scrollWidth <= innerWidth);
    Array.from(document.querySelectorAll('details')).forEach(function (details) { details.open = true; });
    check('a figure on the first screen', document.querySelector('figure').getBoundingClientRect().top < 700 ||
      1200 > innerWidth);
    Array.from(document.querySelectorAll('table.sortable')).forEach(function (table) {
      var first = Array.from(table.tHead.rows[0].cells).find(function (th) { return /^ratio/.test(th.textContent); });
      check('out of sight: ' + table.caption.textContent, !first || innerWidth >= first.getBoundingClientRect().right);
    });
    Array.from(document.querySelectorAll('.scroll table')).forEach(function (table) {
      var room = table.parentNode;
      check('clipped: ' + table.caption.textContent, room.scrollWidth <= room.clientWidth || 1200 > innerWidth);
    });
    var ids = Array.from(document.querySelectorAll('[id]'), function (e) { return e.id; });
    check('an id twice', new Set(ids).size === ids.length);
    check('a picture without words', figures.every(function (figure) { return figure.alt.includes('ratio to'); }));
  } catch (e) {
    faults.push(String(e));
  }
  setTimeout(function () {
    var took = performance.getEntriesByType('navigation')[0].loadEventStart;
    document.body.innerHTML = '';
    document.body.appendChild(document.createElement('pre')).textContent =
      'RESULT ' + (faults.length ? faults.join('; ') : 'good') + ' MS ' + Math.round(took) + ' END';
  }, 0);
});
</script>
END

# examine SED NAME: the page, edited, with the examiner in it; prints what that says.
examine() {
    sed -e "$1" "$page" >"$scratch/$2.edited"
    sed -e "/^<head>/r $scratch/first" -e "/^<\/body>/{
        r $scratch/last
        N
    }" "$scratch/$2.edited" >"$scratch/$2.html"
    browse "$scratch/$2.html" --dump-dom --window-size="${3-1300,900}" |
        sed -n 's/.*RESULT \(.*\) END.*/\1/p'
}

said=$(examine '' good)
case $said in
good\ MS\ *) ms=${said##* } ;;
*) fail "the page: ${said:-nothing; $(tail -3 "$scratch/browser")}" ;;
esac
[ "$ms" -le "${MOST_MS-$ms}" ] || fail "opens in $ms ms"
said=$(examine '' phone 500,900)
case $said in good*) ;; *) fail "on a phone: $said" ;; esac

# plant NAME SED WORDS [WIDTH,HEIGHT]: a fault that must be seen.
plant() {
    local said
    said=$(examine "$2" "$1" ${4-})
    cmp -s "$page" "$scratch/$1.edited" && fail "$1: nothing was planted"
    case $said in
    *"$3"*) ;;
    *) fail "$1 is not seen: $said" ;;
    esac
}
plant unsorted 's/rows.forEach(function (r) { body.appendChild(r.row); });//' 'numbers ascend'
plant unfiltered 's/row.hidden = .*;/;/' 'filtered'
plant thrown "s/^'use strict';/nowhere();/" 'nowhere is not defined'
plant fetched 's,</h1>,</h1><img src="http://localhost:1/x.png"/>,' 'asks for'
plant late 's/id="verdict"/id="answer"/' 'the answer comes first'
plant twice 's/id="claims"/id="tables"/' 'an id twice'
plant clipped 's/max-width: 84rem/max-width: 60rem/' 'clipped: Table 1'
plant below 's,</nav>,</nav><div style="height:900px">x</div>,' 'a figure on the first screen'
plant undrawn 's,svg+xml\,%3C,svg+xml\,,' 'a picture is not drawn'
plant wordless 's/<img alt="[^"]*"/<img alt=""/' 'a picture without words'
plant narrow 's/min-width: 7rem; max-width: 9rem/min-width: 40rem/' 'out of sight' 500,900
plant wide 's,</h1>,</h1><div style="width:200rem">x</div>,' 'wider than its window'

echo "$size bytes, opens in $ms ms"
if [ "$pictures" ]; then
    mkdir -p "$pictures"
    pictures=$(cd "$pictures" && pwd)
    browse "$page" --window-size=1280,9000 --screenshot="$pictures/light.png"
    browse "$page" --window-size=1280,9000 --blink-settings=preferredColorScheme=0 \
        --screenshot="$pictures/dark.png"
    echo '<iframe src="run/report/report.html" width="390" height="9000"></iframe>' >"$scratch/phone.html"
    browse "$scratch/phone.html" --window-size=500,9100 --screenshot="$pictures/phone.png"
    browse "$page" --no-pdf-header-footer --print-to-pdf="$pictures/paper.pdf"
fi
