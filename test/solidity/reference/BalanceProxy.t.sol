// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {FeeOnTransferToken} from "../../../contracts/mocks/FeeOnTransferToken.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {ProxyFixture} from "../proxy/ProxyFixture.sol";
import {TakingTarget} from "../proxy/TakingTarget.sol";
import {ReferenceProxy} from "./ReferenceProxy.sol";

/// @title BalanceProxyReferenceTest
/// @notice Valid and changed calls have the same outcome through the proxy or on the executor and at the reference: reason,
/// balances, and what the target saw.
contract BalanceProxyReferenceTest is ProxyFixture {
    uint256 private constant CHANGES = 25;
    uint256 private constant SPEND_CHANGES = 14;

    /// @notice One call, with the amounts of the first two assets that it brings, and what the executor holds before.
    struct Case {
        bool viaProxy;
        uint256 value;
        uint256 held;
        uint256[2] amounts;
        IBalanceActions.Asset[] assets;
        IBalanceActions.Step[] steps;
        bytes data;
    }

    /// @notice Arguments of `spend`.
    struct Spend {
        uint256 minimum;
        address target;
        uint256 offset;
        bytes data;
        address recipient;
    }

    ReferenceProxy private _plainProxy;
    ReferenceProxy private _plainExecutor;
    LocalToken private _feeToken;

    function setUp() public {
        _deployProxy();
        _plainProxy = new ReferenceProxy(true);
        _plainExecutor = new ReferenceProxy(false);
        _feeToken = LocalToken(address(new FeeOnTransferToken(100)));
        _otherToken.mint(address(_target), MAX_AMOUNT);
        VM.deal(address(_target), MAX_AMOUNT);
    }

    function testFuzz_ExecutionsHaveTheOutcomeOfTheReference(uint256 seed, uint256 change) public {
        _assertAgree(seed, change % CHANGES);
    }

    /// @dev The fuzzer may miss a kind of change.
    function test_EveryKindOfChangeOfAnExecutionHasTheOutcomeOfTheReference() public {
        uint256 executed;
        for (uint256 i; i < 8 * CHANGES; ++i) {
            if (_assertAgree(uint256(keccak256(abi.encode("execution", i))), i % CHANGES)) ++executed;
        }
        // A pair that refuses everything would agree.
        _assertLe(16, executed);
    }

    function testFuzz_SpendsHaveTheOutcomeOfTheReference(uint256 seed, uint256 change) public {
        _assertSpendsAgree(seed, change % SPEND_CHANGES);
    }

    function test_EveryKindOfChangeOfASpendHasTheOutcomeOfTheReference() public {
        uint256 spent;
        for (uint256 i; i < 8 * SPEND_CHANGES; ++i) {
            if (_assertSpendsAgree(uint256(keccak256(abi.encode("spend", i))), i % SPEND_CHANGES)) ++spent;
        }
        _assertLe(24, spent);
    }

    function _assertAgree(uint256 seed, uint256 change) private returns (bool) {
        Case memory each = _case(seed);
        _changeAssets(each, change, seed >> 9);
        _changeSteps(each, change, seed >> 9);
        if (change == 24) each.held = uint64(seed >> 9);
        each.data = abi.encodeCall(IBalanceActions.execute, (each.assets, each.steps));
        return _assertSame(each);
    }

    function _assertSpendsAgree(uint256 seed, uint256 change) private returns (bool) {
        Case memory each = _case(seed);
        each.value = 0;
        bytes memory take = abi.encodeCall(TakingTarget.take, (address(_token), 0, uint16(seed >> 200)));
        Spend memory spend = Spend(each.amounts[0], address(_target), AMOUNT_OFFSET, take, RECIPIENT);
        uint256 value = seed >> 9;
        if (change == 1) spend.minimum = 0;
        if (change == 2) spend.minimum += 1;
        if (change == 3) spend.offset = value % 120;
        if (change == 4) spend.offset = value;
        if (change == 5) spend.data[AMOUNT_OFFSET + (value % 32)] = bytes1(uint8(value >> 8));
        if (change == 6) spend.target = STRANGER;
        if (change == 7) (spend.data, spend.offset) = (abi.encodeCall(TakingTarget.refuse, (0)), 4);
        if (change == 8) spend.recipient = address(0);
        if (change == 9) (each.amounts, spend.minimum) = ([uint256(0), 0], value % 2);
        if (change == 10) {
            // Native money of the target, besides what the executor held before.
            spend.data = abi.encodeCall(TakingTarget.cashOut, (address(_token), 0, uint64(value)));
            each.held = uint64(value >> 64);
        }
        if (change == 11) spend.data = new bytes(value % 70);
        if (change == 12) {
            each.assets[0].token = address(_feeToken);
            spend.data = abi.encodeCall(TakingTarget.take, (address(_feeToken), 0, uint16(seed >> 200)));
            spend.minimum = value % 2 == 0 ? 0 : each.amounts[0] - each.amounts[0] / 100;
        }
        if (change == 13) each.held = uint64(value);
        each.data = abi.encodeCall(
            IBalanceActions.spend,
            (each.assets[0].token, spend.minimum, spend.target, spend.offset, spend.data, spend.recipient)
        );
        return _assertSame(each);
    }

    function _assertSame(Case memory each) private returns (bool) {
        address plain = address(each.viaProxy ? _plainProxy : _plainExecutor);
        (bool isExpected, bytes memory expected) = _run(each, plain, plain);
        address entry = address(_entry(each.viaProxy));
        (bool success, bytes memory outcome) = _run(each, entry, _executor);
        _assertEq(success, isExpected);
        // The reference has no reason of its own for a call with more value than it has.
        if (expected.length != 0) _assertEq(outcome, expected);
        return success;
    }

    /// @dev Brings the money, calls, and returns the reason or what changed.
    function _run(
        Case memory each,
        address entry,
        address holder
    ) private returns (bool success, bytes memory outcome) {
        for (uint256 i; i < 2; ++i) {
            LocalToken token = LocalToken(each.assets[i].token);
            if (address(token) == address(0)) continue;
            if (!each.viaProxy) {
                token.mint(holder, each.amounts[i]);
                continue;
            }
            token.mint(CALLER, each.amounts[i] + 1);
            VM.prank(CALLER);
            token.approve(entry, each.amounts[i]);
        }
        _token.mint(holder, each.held);
        VM.deal(holder, each.held);
        VM.deal(CALLER, each.value);
        uint256[] memory before = _balances(holder);
        VM.prank(CALLER);
        (success, outcome) = entry.call{value: each.value}(each.data);
        uint256[] memory gained = _balances(holder);
        for (uint256 i; i < gained.length; ++i) {
            unchecked {
                gained[i] -= before[i];
            }
        }
        if (success)
            outcome = abi.encode(gained, _target.sawAmount(), _target.sawAllowance(), _target.sawValue());
        _clear(holder);
    }

    /// @dev Money of a failed call must not reach the next one.
    function _clear(address holder) private {
        LocalToken[3] memory tokens = [_token, _otherToken, _feeToken];
        address[2] memory owners = [holder, CALLER];
        for (uint256 i; i < 6; ++i) {
            (LocalToken token, address owner) = (tokens[i % 3], owners[i / 3]);
            uint256 left = token.balanceOf(owner);
            VM.prank(owner);
            token.transfer(STRANGER, left);
        }
        VM.deal(holder, 0);
    }

    function _balances(address holder) private view returns (uint256[] memory balances) {
        address[4] memory accounts = [CALLER, RECIPIENT, address(_target), holder];
        address[4] memory tokens = [address(0), address(_token), address(_otherToken), address(_feeToken)];
        balances = new uint256[](16);
        for (uint256 i; i < 16; ++i) balances[i] = _balanceOf(tokens[i % 4], accounts[i / 4]);
    }

    /// @dev Takes parts of a token and of native money, then swaps, notes or takes a second token.
    function _case(uint256 seed) private view returns (Case memory each) {
        each.viaProxy = seed % 2 == 0;
        each.value = uint64(seed >> 8) % 3 == 0 ? 0 : uint64(seed >> 8);
        // Often a few units, of which a step leaves one or none.
        uint256 most = seed % 4 < 2 ? 100 : type(uint64).max;
        each.amounts = [_bound(seed >> 72, 2, most), _bound(seed >> 136, 2, most)];
        each.assets = _threeAssets();
        // The tokens first.
        (each.assets[1], each.assets[2]) = (each.assets[2], each.assets[1]);
        each.steps = _steps(_takeStep(address(_token), uint16(seed >> 200)), _noteStep());
        each.steps[0].sendNativeBalance = seed % 3 == 0;
        if (seed % 5 == 0) each.steps[1] = _takeStep(address(_otherToken), uint16(seed >> 216));
        if (seed % 5 == 1) {
            bytes memory swap = abi.encodeCall(
                TakingTarget.swap,
                (address(_token), 0, address(_otherToken), seed >> 240)
            );
            each.steps[1] = _spendingStep(address(_target), address(_token), swap);
        }
        if (seed % 5 == 2) {
            each.steps[1].splices = new IBalanceActions.Splice[](2);
            each.steps[1].splices[0] = IBalanceActions.Splice(4, address(_otherToken));
            each.steps[1].splices[1] = IBalanceActions.Splice(36, address(0));
        }
    }

    function _changeAssets(Case memory each, uint256 change, uint256 value) private view {
        IBalanceActions.Asset[] memory assets = each.assets;
        uint256 which = value % 3;
        if (change == 1) assets[0].minimumReceived = each.amounts[0];
        if (change == 2) assets[0].minimumReceived = each.amounts[0] + 1;
        if (change == 3) assets[2].minimumReceived = each.value + (value % 2);
        if (change == 4) assets[which].recipient = address(0);
        if (change == 5) assets[which].token = assets[(which + 1) % 3].token;
        if (change == 6) assets[1].minimumOutput = each.amounts[1] + (value % 2);
        if (change == 7) assets[0].minimumOutput = value >> 128;
        if (change == 8) assets[2].minimumOutput = value >> 192;
        if (change == 9) assets[1].token = address(_feeToken);
        if (change == 10) {
            assets[1].token = address(_feeToken);
            assets[1].minimumReceived = each.amounts[1] - each.amounts[1] / 100;
        }
        // Without native money among the assets.
        if (change == 11) each.assets = _assets(assets[0], assets[1]);
        if (change == 12) each.steps = _noSteps();
    }

    function _changeSteps(Case memory each, uint256 change, uint256 value) private view {
        if (each.steps.length == 0) return;
        IBalanceActions.Step memory step = each.steps[0];
        if (change == 13) step.splices[0].offset = value % 120;
        if (change == 14) step.splices[0].offset = value;
        if (change == 15) step.splices[0].token = value % 2 == 0 ? address(_feeToken) : address(_otherToken);
        if (change == 16) step.approvedToken = value % 2 == 0 ? address(_feeToken) : address(0);
        if (change == 17) step.value = value % 3 == 0 ? value : value % (each.value + 1);
        if (change == 18) step.target = STRANGER;
        if (change == 19) step.data[4 + (value % (step.data.length - 4))] = bytes1(uint8(value >> 8));
        if (change == 20) step.data = abi.encodePacked(step.data, new bytes(value % 40));
        if (change == 21) step.data = new bytes(value % 70);
        if (change == 22)
            each.steps[1] = _step(address(_target), abi.encodeCall(TakingTarget.refuse, (value)));
        if (change == 23) {
            each.steps[1].splices = new IBalanceActions.Splice[](2);
            // The second about where the first ends.
            uint256 first = 4 + (value % 4 == 0 ? value % 9 : 0);
            each.steps[1].splices[0] = IBalanceActions.Splice(first, address(_token));
            uint256 second = first + ((value >> 8) % 2 == 0 ? 31 : 28 + ((value >> 9) % 8));
            each.steps[1].splices[1] = IBalanceActions.Splice(second, address(_token));
        }
    }
}
