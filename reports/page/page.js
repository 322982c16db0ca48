/* Sorts and filters the tables of the page. A column is one of numbers where every cell that says something begins
 * with one and none is a shape; a dash is last whichever way. No less-than, greater-than or
 * ampersand: the page is well-formed XML, too. */
'use strict';
document.querySelectorAll('table.sortable').forEach(function (table) {
  var body = table.tBodies[0], heads = Array.from(table.tHead.rows[0].cells);
  function text(row, i) {
    var cell = row.cells[i];
    return cell ? cell.textContent.trim().replace(/^[\u2013\u2026]$/, '') : '';
  }
  function number(value) {
    return parseFloat(value.replace(/^[\u00b1+]/, '').replace('\u2212', '-'));
  }
  heads.forEach(function (head, i) {
    var button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('aria-label', 'Sort by ' + head.textContent);
    head.appendChild(button);
    head.addEventListener('click', function () {
      var down = head.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
      var rows = Array.from(body.rows).map(function (row) {
        return {row: row, key: text(row, i)};
      });
      var numeric = rows.every(function (r) {
        return r.key === '' || (!/^\d+x/.test(r.key) ? !isNaN(number(r.key)) : false);
      });
      var order = new Intl.Collator('en', {numeric: true});
      rows.sort(function (a, b) {
        if (a.key === '' || b.key === '') return (a.key === '') - (b.key === '');
        return down * (numeric ? number(a.key) - number(b.key)
                               : order.compare(a.key, b.key));
      });
      heads.forEach(function (other) { other.removeAttribute('aria-sort'); });
      head.setAttribute('aria-sort', down === 1 ? 'ascending' : 'descending');
      rows.forEach(function (r) { body.appendChild(r.row); });
    });
  });
  if (Math.max(body.rows.length, 24) === 24) return;
  var label = document.createElement('label'), input = document.createElement('input');
  var told = document.createElement('span'), region = table.parentNode;
  label.className = 'filter';
  input.type = 'search';
  input.placeholder = 'for example: 4096x slower';
  told.setAttribute('aria-live', 'polite');
  label.append('Show rows with', input, told);
  region.parentNode.insertBefore(label, region);
  input.addEventListener('input', function () {
    var words = input.value.toLowerCase().split(/\s+/).filter(Boolean), shown = 0;
    Array.from(body.rows).forEach(function (row) {
      var all = row.textContent.toLowerCase();
      row.hidden = !words.every(function (word) { return all.includes(word); });
      shown += row.hidden ? 0 : 1;
    });
    told.textContent = words.length ? shown + ' of ' + body.rows.length : '';
  });
});
/* A link to what is folded away opens it. */
function unfold() {
  var at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (; at; at = at.parentElement) {
    if (at.tagName === 'DETAILS') at.open = true;
  }
}
addEventListener('hashchange', unfold);
unfold();
