'use strict';
document.documentElement.className = 'js';
(() => {
  const root = document.documentElement;
  const remembered = (() => { try { return localStorage.getItem('dumpanalyze-theme'); } catch { return null; } })();
  if (remembered === 'light' || remembered === 'dark') root.dataset.theme = remembered;

  const make = (name, text, className) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  };
  const button = (text, act) => {
    const element = make('button', text);
    element.type = 'button';
    element.addEventListener('click', act);
    return element;
  };

  // Light and dark: the system's choice until the reader makes one.
  const addThemeButton = () => {
    const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    const toggle = button('', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      try { localStorage.setItem('dumpanalyze-theme', root.dataset.theme); } catch { /* Files may have no storage. */ }
      name();
    });
    const name = () => { toggle.textContent = isDark() ? 'Light' : 'Dark'; toggle.setAttribute('aria-label', `Switch to ${isDark() ? 'light' : 'dark'} colours`); };
    toggle.className = 'theme';
    name();
    document.querySelector('header.top').append(toggle);
  };

  // Values sort as numbers where all are numbers, else as text; empty ones stand last in both directions.
  const compare = (a, b, isNumber, sign) => {
    if (a === '' || b === '') return (a === '') - (b === '');
    return sign * (isNumber ? a - b : a < b ? -1 : a > b ? 1 : 0);
  };
  const sorted = (items, valueOf, sign) => {
    const keyed = items.map(item => [valueOf(item), item]);
    const isNumber = keyed.every(([value]) => value === '' || !isNaN(value));
    if (!isNumber) keyed.forEach(entry => { entry[0] = entry[0].toLowerCase(); });
    return keyed.sort((a, b) => compare(a[0], b[0], isNumber, sign)).map(entry => entry[1]);
  };
  const cellValue = (row, column) => {
    const cell = row.cells[column];
    return (cell.dataset.v ?? cell.textContent).trim();
  };

  const makeSortable = (table, sort) => {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if ('plain' in head.dataset) return;
      const label = head.textContent;
      head.textContent = '';
      head.append(button(label, () => {
        const first = head.dataset.first ?? 'ascending';
        const other = first === 'ascending' ? 'descending' : 'ascending';
        const order = head.getAttribute('aria-sort') === first ? other : first;
        for (const cell of table.tHead.rows[0].cells) cell.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', order);
        sort(column, order === 'ascending' ? 1 : -1);
      }));
    });
  };
  const sortRows = (table) => (column, sign) => {
    if ('groups' in table.dataset) table.append(...sorted([...table.tBodies], body => cellValue(body.rows[0], column), sign));
    else table.tBodies[0].append(...sorted([...table.tBodies[0].rows], row => cellValue(row, column), sign));
  };

  // Groups fold: the line stays, the details open below it.
  const setOpen = (body, isOpen) => {
    body.classList.toggle('open', isOpen);
    body.querySelector('.line button').setAttribute('aria-expanded', isOpen);
  };
  const addFolds = (table) => {
    for (const body of table.tBodies) {
      const title = body.querySelector('.title');
      const fold = button(title.textContent, () => setOpen(body, !body.classList.contains('open')));
      fold.setAttribute('aria-expanded', 'false');
      title.replaceWith(fold);
    }
  };
  const openTarget = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest('.buckets') && target.tagName === 'TBODY') {
      target.hidden = false;
      setOpen(target, true);
      target.scrollIntoView();
    }
    target.querySelector(':scope > details')?.setAttribute('open', '');
  };

  const addFilter = (form, apply) => {
    form.hidden = false;
    const run = () => { form.querySelector('output').textContent = apply(new FormData(form)); };
    form.addEventListener('input', run);
    form.addEventListener('submit', event => event.preventDefault());
    return run;
  };
  const wordsOf = (data) => (data.get('text') ?? '').toLowerCase().split(/\s+/).filter(word => word);
  const filterGroups = (table) => {
    const all = [...table.tBodies].map(body => ({
      body, text: `${body.rows[0].textContent}\n${body.dataset.text}`.toLowerCase(), processes: body.dataset.process.split('\n'),
    }));
    return (data) => {
      const words = wordsOf(data);
      let shown = 0;
      for (const { body, text, processes } of all) {
        const fits = words.every(word => text.includes(word))
          && (!data.get('sure') || data.get('sure') === body.dataset.sure)
          && (!data.get('detector') || data.get('detector') === body.dataset.detector)
          && (!data.get('process') || processes.includes(data.get('process')));
        body.hidden = !fits;
        if (fits) shown++;
      }
      return shown === all.length ? '' : `${shown} of ${all.length} shown`;
    };
  };

  // The list of all dumps, or of all groups (plain): rows are made for what is asked for, a step at a time.
  const makeDumpList = (table) => {
    const step = 200, isPlain = 'plain' in table.dataset;
    const all = JSON.parse(document.getElementById(table.dataset.rows).textContent);
    const texts = new Map(all.map(row => [row, row.slice(0, 6).join('\n').toLowerCase()]));
    const more = table.parentElement.nextElementSibling;
    let rows = all, shown = 0;
    const rowOf = (values) => {
      const row = make('tr');
      values.slice(0, 6).forEach((value, column) => {
        const cell = make('td', undefined, isPlain ? '' : column === 0 ? 'code' : column === 5 ? 'time' : '');
        if (isPlain) {
          cell.textContent = value;
        } else if (column === 1 && values[6] && document.getElementById(values[6])) {
          const link = make('a', value);
          link.href = `#${values[6]}`;
          cell.append(link);
        } else if (column === 2 && value) {
          cell.append(make('span', value, `mark ${value.toLowerCase()}`));
        } else {
          cell.textContent = value;
        }
        row.append(cell);
      });
      return row;
    };
    const show = () => {
      table.tBodies[0].append(...rows.slice(shown, shown + step).map(rowOf));
      shown = Math.min(rows.length, shown + step);
      more.replaceChildren();
      if (shown < rows.length) more.append(button(`Show ${Math.min(step, rows.length - shown)} more of ${rows.length - shown}`, show));
    };
    const restart = () => { shown = 0; table.tBodies[0].replaceChildren(); show(); };
    const form = document.querySelector(`form[data-for="${table.id}"]`);
    addFilter(form, data => {
      const words = wordsOf(data);
      rows = all.filter(row => words.every(word => texts.get(row).includes(word)));
      restart();
      return words.length ? `${rows.length} of ${all.length}` : '';
    });
    makeSortable(table, (column, sign) => {
      const rank = { confirmed: '2', likely: '1', suspected: '0' };
      rows = sorted(rows, row => column === 2 && !isPlain ? rank[row[2].toLowerCase()] ?? '' : row[column], sign);
      restart();
    });
    show();
  };

  // What is folded is printed too, but findings that are closed: a page on a large folder would fill a ream.
  let unfolded = [];
  addEventListener('beforeprint', () => {
    unfolded = [...document.querySelectorAll('details:not([open])')];
    unfolded.forEach(element => { element.open = true; });
  });
  addEventListener('afterprint', () => { unfolded.forEach(element => { element.open = false; }); });

  addEventListener('DOMContentLoaded', () => {
    addThemeButton();
    for (const table of document.querySelectorAll('table.sortable')) {
      if ('rows' in table.dataset) {
        makeDumpList(table);
        continue;
      }
      makeSortable(table, sortRows(table));
      if ('groups' in table.dataset) {
        addFolds(table);
        addFilter(document.querySelector(`form[data-for="${table.id}"]`), filterGroups(table));
      }
    }
    addEventListener('hashchange', openTarget);
    openTarget();
  });
})();
