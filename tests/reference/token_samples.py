"""Texts of many kinds with the tokens that real tokenizers make of them, written down as facts."""

from __future__ import annotations

SAMPLES: dict[str, tuple[str, tuple[int, int, int]]] = {
    "english": (
        (
            "The pump in the north shed has to be primed before the first"
            " frost. Close the lower valve, fill the housing with clean w"
            "ater until it runs over, and open the vent slowly. If the ga"
            "uge stays below two bars after a minute, look for a leak at "
            "the coupling and tell whoever is on call. Nobody should run "
            "the motor dry, because the seal wears out within seconds and"
            " replacements take three weeks to arrive.\n"
        ),
        (85, 85, 85),
    ),
    "chinese": (
        (
            "北边棚屋里的水泵必须在第一次霜冻之前灌满水。先关闭下方的阀门，把清水注入泵壳直到溢出，然后慢慢打开排气口。如果一分钟后压"
            "力表仍低于两巴，请检查接头是否漏水，并通知值班人员。任何人都不得让电机空转，因为密封件几秒钟就会磨损，更换需要三个星期。"
            "\n"
        ),
        (97, 144, 120),
    ),
    "traditional": (
        "變更紀錄：備份伺服器於凌晨兩點啟動，請確認磁碟容量與權限設定，並檢視憑證續期的結果。\n",
        (42, 73, 42),
    ),
    "japanese": (
        (
            "北の小屋のポンプは、最初の霜が降りる前に呼び水をしておく必要があります。下の弁を閉め、ケーシングに水を満たしてから、排気"
            "口をゆっくり開けてください。\n"
        ),
        (63, 75, 74),
    ),
    "korean": (
        (
            "북쪽 창고의 펌프는 첫 서리가 내리기 전에 물을 채워야 합니다. "
            "아래 밸브를 닫고 깨끗한 물을 넘칠 때까지 "
            "채운 다음 배기구를 천천히 여십시오.\n"
        ),
        (54, 90, 113),
    ),
    "thai": (
        (
            "ต้องเติมน้ำในปั๊มที่โรงเก็บทางทิศเหนือก่อนน้ำค้างแข็งครั้งแร"
            "ก ปิดวาล์วด้านล่าง เติมน้ำสะอาดจนล้น แล้วค่อย ๆ เปิดช่องระบา"
            "ยอากาศ หากมาตรวัดยังต่ำกว่าสองบาร์หลังจากหนึ่งนาที ให้ตรวจหา"
            "รอยรั่ว\n"
        ),
        (77, 183, 8),
    ),
    "russian": (
        (
            "Насос в северном сарае нужно залить до первых заморозков. За"
            "кройте нижний клапан, наполните корпус чистой водой и медлен"
            "но откройте вентиль.\n"
        ),
        (41, 66, 118),
    ),
    "german": (
        (
            "Die Pumpe im nördlichen Schuppen muss vor dem ersten Frost b"
            "efüllt werden. Schließen Sie das untere Ventil, füllen Sie d"
            "as Gehäuse mit Wasser und öffnen Sie langsam die Entlüftung."
            "\n"
        ),
        (47, 55, 63),
    ),
    "hindi": (
        "उत्तरी शेड के पंप को पहली ठंढ से पहले पानी से भरना होगा। निचला वाल्व बंद करें और साफ पानी भरें।\n",
        (34, 90, 57),
    ),
    "emoji": (
        "🚀🔥✅🎉😀👍🏽👩\u200d💻🇨🇭🐛⚠️🧪🥑🦊🪐🫠🧑\u200d🚀❤️\u200d🔥🏴\u200d☠️\n",
        (54, 79, 1),
    ),
    "emoji_list": (
        "- 🚀 launch\n- ✅ done\n- 🐛 fix\n- ⚠️ warn\n",
        (21, 24, 12),
    ),
    "hexdump": (
        (
            "00000000: 24ed 8a6a 1e27 9227 4ef8 8f6d d0ed ae97\n00000010: "
            "2e44 1a61 94e3 923a a38f 3018 5f55 18f1\n00000020: 8c38 b64c "
            "1012 907a 0f42 9e77 34b9 7f15"
        ),
        (101, 101, 86),
    ),
    "uuid": (
        (
            "9474031b-cc01-74c9-119a-17f5d70820fe\nf1d69ed6-451a-795e-b271"
            "-10a3aa05e11a\n0f88080b-bb2d-b394-4f42-93f4a5aa3c81"
        ),
        (72, 72, 80),
    ),
    "base64": (
        (
            "Y0qnhgGt6BAmBui+6iievCbJTnlGwY9AXvYoz7InDxOyNpzYvJ/7QxfpGjxz"
            "s7W63CSmwdciiTTZhRE7DGhlvSz2YaZ5xsn5pNjYdV9tc355vHTY0XvvYX85"
            "pRPxaKB621cU6fe8Bq+ov41JLydYxL2k9wtfAvKdJLb+oVwdjKREJMMybzHV"
            "E+BIhplZpr0lWhLvVO06"
        ),
        (133, 144, 141),
    ),
    "url": (
        (
            "https://files.example.org/a/b/releases/2024-03-17/build_8841"
            "/%E6%B0%B4/pump-north-shed.tar.gz?sig=Zm9vYmFyYmF6cXV4&expir"
            "es=1712345678&token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY"
            "3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U&utm_sou"
            "rce=newsletter&utm_medium=email#section-4.2"
        ),
        (137, 142, 165),
    ),
    "table": (
        (
            "| pump | bar | l/min | seen |\n| --- | ---: | ---: | :---: |\n"
            "| P-00 | 2.0 | 440 | no |\n| P-01 | 1.7 | 452 | yes |\n| P-02 "
            "| 1.3 | 133 | yes |\n| P-03 | 8.4 | 321 | yes |\n| P-04 | 1.4 "
            "| 516 | no |\n| P-05 | 6.2 | 803 | yes |"
        ),
        (113, 113, 113),
    ),
    "rule": (
        (
            "------------------------------------------------------------"
            "-------------------\n========================================"
            "====================\n| -------------- | -------------- | ---"
            "----------- | -------------- | -------------- | ------------"
            "-- |\n"
        ),
        (23, 23, 230),
    ),
    "box": (
        (
            "┌────────┬──────┐\n│ pump   │ bar  │\n├────────┼──────┤\n│ nort"
            "h  │ 2.1  │\n└────────┴──────┘\n"
        ),
        (48, 49, 15),
    ),
    "python": (
        (
            "def retry(call, *, limit=5, wait_s=0.25):\n    for attempt in"
            " range(limit):\n        try:\n            return call()\n      "
            "  except (OSError, TimeoutError) as error:\n            if at"
            'tempt + 1 == limit:\n                raise RetryError(f"gave '
            'up after {limit}: {error!r}") from error\n            time.sl'
            "eep(wait_s * 2**attempt)\n"
        ),
        (82, 82, 94),
    ),
    "rust": (
        (
            "impl<'a, T: Iterator<Item = &'a str>> Pump<'a, T> {\n    pub "
            "fn new(src: T) -> Self { Self { src, seen: HashMap::new() } "
            "}\n    fn step(&mut self) -> Option<u64> {\n        self.src.n"
            "ext().map(|s| s.len() as u64)\n    }\n}\n"
        ),
        (76, 75, 102),
    ),
    "json": (
        (
            '{"id":17,"name":"north","bars":[2.1,2.4,1.95],"ok":true,"tag'
            's":["a","b"],"meta":{"seen":"2024-03-17T08:15:00Z","by":null'
            "}}\n"
        ),
        (56, 55, 86),
    ),
    "sql": (
        (
            "SELECT p.id, COUNT(*) AS n FROM pumps p LEFT JOIN readings r"
            " ON r.pump_id = p.id WHERE r.bar >= 2.5 GROUP BY p.id HAVING"
            " COUNT(*) > 3 ORDER BY n DESC;\n"
        ),
        (47, 47, 55),
    ),
    "math": (
        "∀x∈ℝ: ∃y≥0, √(x²+y²) ≠ ∞ ⇒ Σᵢ αᵢ·βᵢ ≤ ½π → ∅ ⊂ 𝔸\n",
        (53, 54, 29),
    ),
    "numbers": (
        (
            "542568 67143 14 1716 33 5188 276 839 4338739 2505978 9400843"
            "8 93807 7540 435 34 1 10976 1091 15948 1549722 579929 449394"
        ),
        (62, 62, 56),
    ),
    "cite": (
        (
            "/srv/notes/teams/north/2024-03-17_pump-notes.md:118\n[...]\n/s"
            "rv/notes/teams/north/2024-03-17_pump-notes.md:118\n[...]\n"
        ),
        (52, 50, 58),
    ),
}
"""By kind: the text, and its tokens by o200k_base, cl100k_base and an English WordPiece vocabulary
of 30,522 (lower-cased, without special tokens)."""
